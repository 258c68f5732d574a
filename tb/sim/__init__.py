"""The simulator of the whole machine, and the programs that run on it."""
