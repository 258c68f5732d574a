"""Tests of one unit of the RTL each, by concept."""
