"""A host and a device for each test of Felt Link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import Connected, Hello, Welcomed

from .bench import Device, Host, Pair, bytewise, make_hello, whole

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(params=[whole, bytewise])
def pair(request: pytest.FixtureRequest) -> Pair:
    """Give a shuffler and its host, not yet open, over a line that cuts nothing or everything."""
    return Pair(line=request.param)


@pytest.fixture
def connected(pair: Pair) -> Pair:
    """Give a shuffler and its host that has accepted it."""
    pair.open()
    assert any(isinstance(item, Connected) for item in pair.told)
    assert pair.seen == [Welcomed(7)]
    return pair


@pytest.fixture
def hello_of() -> Callable[..., Hello]:
    """Give what makes a HELLO."""
    return make_hello


@pytest.fixture
def hello() -> Hello:
    """Give the HELLO of the shuffler."""
    return make_hello()


@pytest.fixture
def host(hello: Hello) -> Host:
    """Give a host that has accepted the shuffler."""
    return Host().accepted(hello)


@pytest.fixture
def device() -> Device:
    """Give a shuffler that was powered up at 0.0 and is welcomed to session 7."""
    return Device().welcomed()
