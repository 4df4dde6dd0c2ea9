"""Lines that lose, cut, double and spoil: exactly once, in order, and no order twice."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt_protocols.link import Answered, Happened, Ordered, Permitted, Send

from .bench import PERMIT, Pair, make_hello

if TYPE_CHECKING:
    from collections.abc import Iterator


class BadLine:
    """Cuts bytes anywhere and then drops, doubles, spoils or passes each piece, by a seed."""

    def __init__(self, seed: int, badness: float) -> None:
        self.badness = badness
        self._rng = random.Random(seed)  # noqa: S311  # a line, not a secret

    def __call__(self, data: bytes) -> Iterator[bytes]:
        """Carry some bytes."""
        while data:
            size = self._rng.randint(1, 60)
            piece, data = data[:size], data[size:]
            luck = self._rng.random() / self.badness if self.badness else 9.0
            if luck < 0.4:
                continue
            if luck < 0.6:
                yield piece
            elif luck < 0.8:
                at = self._rng.randrange(len(piece))
                piece = piece[:at] + bytes((self._rng.randrange(256),)) + piece[at + 1 :]
            elif luck < 1.0:
                piece += bytes(self._rng.randrange(256) for _ in range(self._rng.randrange(9)))
            yield piece


def doubled(data: bytes) -> list[bytes]:
    """Carry everything twice."""
    return [data, data]


STEPS = st.lists(
    st.sampled_from(["event", "event", "order", "inhibit", "release", "wait", "port", "later"]),
    max_size=25,
)


def play(pair: Pair, steps: list[str]) -> int:
    """Let things happen on the line; give how many events there were."""
    events = 0
    for at, step in enumerate(steps):
        if step == "event":
            events += 1
            pair.happen("loaded", {"batch": events})
        elif step == "order":
            pair.order("selftest", {}, at)
        elif step == "inhibit":
            pair.inhibit("jam")
        elif step == "release":
            pair.host.release()
        elif step == "port":
            pair.close()
            pair.run(0.4)
            pair.open()
        pair.run({"wait": 3.0, "later": 0.1}.get(step, 0.02))
    return events


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5]), STEPS)
def test_events_arrive_exactly_once_and_in_order_over_a_bad_line(
    seed: int, badness: float, steps: list[str]
) -> None:
    line = BadLine(seed, badness)
    pair = Pair(line=line).open()
    events = play(pair, steps)
    line.badness = 0.0
    pair.run(12.0)
    assert [item.n for item in pair.happened] == [*range(1, events + 1)]
    assert [item.fields for item in pair.happened] == [{"batch": n} for n in range(1, events + 1)]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.5]), STEPS)
def test_no_order_is_carried_out_twice_and_each_has_one_end(
    seed: int, badness: float, steps: list[str]
) -> None:
    line = BadLine(seed, badness)
    pair = Pair(line=line).open()
    play(pair, steps)
    line.badness = 0.0
    pair.run(12.0)
    carried_out = [item.number for item in pair.seen if isinstance(item, Ordered | Permitted)]
    answered = [item for item in pair.told if isinstance(item, Answered) and item.number]
    assert len(carried_out) == len(set(carried_out))
    ordered = [("e1", at) for at, step in enumerate(steps) if step == "order"]
    assert sorted(number for item in answered if (number := item.number)) == ordered
    done = [number for item in answered if (number := item.number) and item.ok]
    assert sorted(done) == sorted(number for number in carried_out if number)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), STEPS)
def test_a_wished_inhibit_has_its_way_in_the_end(seed: int, steps: list[str]) -> None:
    line = BadLine(seed, 0.5)
    pair = Pair(line=line).open()
    play(pair, steps)
    pair.order("permit", PERMIT, 900)
    pair.inhibit("wrong-count")
    line.badness = 0.0
    pair.run(12.0)
    assert pair.device.inhibited
    assert pair.host.shown is not None
    assert pair.host.shown.inhibited


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), STEPS)
def test_a_line_that_doubles_everything_changes_nothing(seed: int, steps: list[str]) -> None:
    def run(line: object) -> list[object]:
        pair = Pair(line=line).open()  # type: ignore[arg-type]  # one of two lines
        play(pair, steps)
        pair.run(2.0)
        return [item for item in pair.told if isinstance(item, Happened)]

    assert run(doubled) == run(BadLine(seed, 0.0))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.lists(st.booleans(), max_size=8))
def test_boots_on_a_bad_line_mix_no_numbers(seed: int, boots: list[bool]) -> None:
    line = BadLine(seed, 0.3)
    pair = Pair(line=line, commits=False).open()
    happened: dict[int, list[int]] = {}
    boot = make_hello().boot
    for restarts in boots:
        if restarts:
            boot += 1
            pair.replace_device(make_hello(boot=boot))
            pair.to_host(pair.device.opened(pair.now))
        happened.setdefault(boot, []).append(len(happened.get(boot, ())) + 1)
        pair.happen("loaded", {"batch": boot})
        pair.run(0.7)
        for item in pair.happened[-2:]:
            pair.acknowledge(item.n, item.boot)
    line.badness = 0.0
    pair.run(8.0)
    for item in pair.happened:
        assert item.fields == {"batch": item.boot}
    for one in {item.boot for item in pair.happened}:
        told = [item.n for item in pair.happened if item.boot == one]
        assert told == happened[one][: len(told)]
    if boots:
        assert [item.n for item in pair.happened if item.boot == boot] == happened[boot]


@given(st.lists(st.binary(max_size=80), max_size=20), st.data())
def test_no_bytes_raise_at_either_end(noise: list[bytes], data: st.DataObject) -> None:
    pair = Pair().open()
    for piece in noise:
        pair.to_device(pair.host.receive(piece, pair.now))
        pair.to_host(pair.device.receive(piece, pair.now))
        pair.run(data.draw(st.floats(0, 1)))
    pair.to_host([Send(b"\0")])
    pair.to_device([Send(b"\0")])
    pair.happen("loaded", {"batch": 1})
    pair.run(1.0)
    assert [item.n for item in pair.happened] == [1]


@pytest.mark.parametrize("seed", range(5))
def test_two_hundred_events_over_a_bad_line(seed: int) -> None:
    line = BadLine(seed, 0.05)
    pair = Pair(line=line).open()
    for batch in range(1, 201):
        if pair.device.starts_nothing_new:
            pair.run(2.0)
        pair.happen("loaded", {"batch": batch})
        pair.run(0.05)
    line.badness = 0.0
    pair.run(12.0)
    assert [item.fields["batch"] for item in pair.happened] == [*range(1, 201)]
