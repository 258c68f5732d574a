"""Programs on the whole machine."""
