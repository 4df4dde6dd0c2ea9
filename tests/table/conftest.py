"""Tables for the tests of the two pure functions."""

from __future__ import annotations

import pytest

from . import felt as tables
from .felt import Felt, setup_of


@pytest.fixture
def felt() -> Felt:
    """A table that has heard nothing yet."""
    return Felt()


@pytest.fixture
def opened() -> Felt:
    """An open table, ready for its first round."""
    return tables.opened()


@pytest.fixture
def without_shaker() -> Felt:
    """A table that finds its starting position in some other way."""
    return Felt(setup=setup_of(devices={"shuffler-1": "shuffler", "shoe-1": "shoe"}))
