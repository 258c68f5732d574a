"""Figures that the firmware prints: how they are parsed, placed, judged and shown."""
