"""A state goes into text and comes back as it was, whatever the table has been through."""

from __future__ import annotations

import dataclasses
import json
from functools import reduce
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_daemon.folding import Unreadable, read, written
from felt_daemon.folding.text import digest
from felt_daemon.table import blank, evolve
from felt_daemon.table.state import Round, State
from felt_protocols import commands

from ..regulations.felt_bench import Bench  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from felt_daemon.table.state import Setup

# All characters that UTF-8 has. Asked for by that name, they would take Hypothesis seconds to find.
CHARACTERS = st.characters(exclude_categories=["Cs"])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(CHARACTERS, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["is", "map", "tuple", "set", "id"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="session")
def evening() -> Bench:
    """An evening with sound hands, a jam, an owner, a service and a second start. Not to be changed."""
    bench = Bench(escalation=(("dealer", 0), ("floor", 30), ("shift-manager", 90)))
    bench.open()
    bench.ready_to_deal()
    bench.deal(2)
    bench.fault("shoe-1", "jam=17")
    bench.shoe.press_deal(bench.now)
    bench.run(40.0)
    bench.command(commands.Acknowledge(hold=1))
    bench.empty_shoe()
    bench.command(commands.CallFloor(), "dealer")
    bench.command(commands.ReleaseRound())
    bench.command(commands.ServiceBegin(device="shoe-1", why="it jams"), "tech")
    bench.connect()
    bench.run(2.0)
    return bench


@pytest.fixture(scope="session")
def reached(evening: Bench) -> list[State]:
    """Every state of it."""
    states = [blank(evening.setup)]
    for row in evening.rows:
        states.append(evolve(states[-1], row))
    return states


@given(number=st.integers(min_value=0))
def test_a_state_comes_back_field_by_field_and_in_its_order(reached: list[State], number: int) -> None:
    state = reached[number % len(reached)]
    back = read(written(state), state.setup)
    assert back == state
    # Decisions go by the order of mappings, which equality does not see.
    assert repr(back) == repr(state)
    assert written(back) == written(state)


@given(number=st.integers(min_value=0), after=st.integers(min_value=1, max_value=20))
def test_rows_fold_on_from_a_state_that_came_back(
    evening: Bench, reached: list[State], number: int, after: int
) -> None:
    first = number % len(reached)
    back = read(written(reached[first]), evening.setup)
    last = min(first + after, len(evening.rows))
    assert reduce(evolve, evening.rows[first:last], back) == reached[last]


def test_every_field_of_every_part_is_written(reached: list[State]) -> None:
    plain = json.loads(written(reached[-1]))
    assert plain.keys() - {"is"} == {field.name for field in dataclasses.fields(State)} - {"setup"}
    in_a_round = next(state for state in reached if state.round is not None)
    about = json.loads(written(in_a_round))["round"]
    assert about.keys() - {"is"} == {field.name for field in dataclasses.fields(Round)}


def test_the_setup_is_told_by_whoever_reads(reached: list[State]) -> None:
    other = dataclasses.replace(reached[-1].setup, table="t-2")
    assert read(written(reached[-1]), other).setup is other


def test_the_digest_of_a_setup_sees_its_order_and_the_pack_in_it(reached: list[State]) -> None:
    setup = reached[0].setup
    turned = dataclasses.replace(setup, decks=dict(reversed(setup.decks.items())))
    dealt = dataclasses.replace(setup, patterns=())
    again: Setup = dataclasses.replace(setup)
    assert digest(again) == digest(setup)
    assert turned == setup
    assert digest(turned) != digest(setup)
    assert (digest(dealt) == digest(setup)) is (setup.patterns == ())


@given(JSON)
def test_no_other_json_is_a_state(reached: list[State], plain: object) -> None:
    with pytest.raises(Unreadable):
        read(json.dumps(plain), reached[0].setup)


@given(st.data())
def test_a_state_with_a_wrong_part_is_none(reached: list[State], data: st.DataObject) -> None:
    plain = json.loads(written(reached[-1]))
    name = data.draw(st.sampled_from(sorted(plain)))
    what = data.draw(st.sampled_from(["left out", "a list", "a float", "unknown"]))
    if what == "left out":
        del plain[name]
    else:
        plain[name] = {"a list": [1], "a float": 0.5, "unknown": {"is": "State"}}[what]
    with pytest.raises(Unreadable):
        read(json.dumps(plain), reached[-1].setup)


@pytest.mark.parametrize(
    "holds",
    [{"map": [["only a key"]]}, {"map": [[None, 1]]}, {"map": [7]}, {"tuple": 7}, {"set": [[1]]}, {"set": 1}],
)
def test_groups_have_their_form(reached: list[State], holds: object) -> None:
    plain = json.loads(written(reached[-1])) | {"holds": holds}
    with pytest.raises(Unreadable):
        read(json.dumps(plain), reached[-1].setup)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_what_is_no_json_is_no_state(reached: list[State], text: str) -> None:
    with pytest.raises(Unreadable):
        read(text, reached[0].setup)


def test_what_has_no_text_is_refused(reached: list[State]) -> None:
    with pytest.raises(Unreadable, match="a state cannot hold"):
        written(dataclasses.replace(reached[-1], dealer=object()))  # type: ignore[arg-type]  # what is tested


def test_the_states_have_what_a_state_can_have(evening: Bench, reached: list[State]) -> None:
    assert reached[-1] == evening.state
    assert any(state.holds for state in reached)
    assert any(state.grants for state in reached)
    assert any(state.timers for state in reached)
    assert any(state.incidents for state in reached)
    assert any(state.called for state in reached)
