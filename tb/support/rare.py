"""Configurations that `make test` leaves out, as their builds take longer than what they show
beyond others: `make test-rare` has them."""

import pytest


def rare(*names: str) -> list:
    """Parameters of tests."""
    return [pytest.param(name, marks=pytest.mark.slow) for name in names]
