"""Tests of the whole machine, and of the firmware on it."""
