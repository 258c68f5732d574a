"""The labs of docs/labs: what they ask, and the grader."""
