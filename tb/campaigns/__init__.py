"""Long runs against the golden model, and what they cover."""
