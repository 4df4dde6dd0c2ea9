"""People's record against the journal: each check must notice when the two differ."""

from __future__ import annotations

import pytest

from felt_simulators.chance import seeded
from felt_simulators.check import Check
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.journal import JournalRow, JournalRows
from felt_simulators.record import Press, Record, Told
from felt_simulators.testimony import people

BY_KIM = {"role": "dealer", "name": "kim", "proof": "stated"}
AT_PANEL = {"role": "dealer", "name": "", "proof": "panel"}


def row(seq: int, what: str, at_s: float, cause: int | None = None, **body: object) -> JournalRow:
    return JournalRow(seq, cause, what, round(at_s * 1e9), simulated=True, body=body)


def told(what: str, at_s: float, deck: str = "red") -> Told:
    return Told("reported", "dealer", "kim", {"what": what, "deck": deck}, round(at_s * 1e9))


def checked(
    record: Record, rows: list[JournalRow], panel: DealersPanel | None = None
) -> dict[str, tuple[object, object]]:
    """What differs, by the check's name."""
    found = people(record, panel, JournalRows(rows))
    return {one.name: (one.told, one.true) for one in found if not one.agrees}


def reported(seq: int, what: str, at_s: float, **other: object) -> JournalRow:
    body = {"by": BY_KIM, "report": what, "deck": "red"} | other
    return JournalRow(seq, None, "reported", round(at_s * 1e9), simulated=True, body=body)


def test_what_was_told_and_is_recorded_so_agrees() -> None:
    record = Record(told=[told("deck-spread", 3.0)])
    rows = [reported(1, "deck-spread", 3.0), row(2, "deck-marked", 3.0, 1, deck="red", mark="spread")]
    assert checked(record, rows) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        reported(1, "deck-spread", 3.5),
        reported(1, "deck-washed", 3.0),
        reported(1, "deck-spread", 3.0, deck="blue"),
        reported(1, "deck-spread", 3.0, by=BY_KIM | {"name": "robin"}),
        reported(1, "deck-spread", 3.0, by=BY_KIM | {"role": "floor"}),
    ],
    ids=["time", "word", "deck", "person", "role"],
)
def test_another_time_word_deck_person_or_role_is_noticed(wrong: JournalRow) -> None:
    record = Record(told=[told("deck-spread", 3.0)])
    marked = row(2, "deck-marked", 3.0, 1, deck="red", mark="spread")
    assert list(checked(record, [wrong, marked])) == ["people"]


def test_what_nobody_told_or_nobody_recorded_is_noticed() -> None:
    row_of_robin = row(1, "table-opened", 1.0, by={"role": "floor", "name": "robin", "proof": "stated"})
    assert checked(Record(), [row_of_robin]) == {
        "people": ([("table-opened", "floor", "robin", {}, 1.0)], [])
    }
    assert set(checked(Record(told=[told("deck-spread", 3.0)]), [])) == {"people", "preparation"}


def test_what_is_inferred_or_refused_is_nobodys_word() -> None:
    rows = [
        row(1, "bets-closed", 1.0, by={"role": "dealer", "name": "", "proof": "inferred"}),
        row(2, "command-rejected", 2.0, by=BY_KIM, command="round-end"),
    ]
    assert checked(Record(), rows) == {}


def test_the_tables_states_follow_from_what_people_did() -> None:
    acts: list[tuple[str, dict[str, object]]] = [
        ("deck-changed", {"deck": "red"}),
        ("table-opened", {}),
        ("reported", {"what": "cards-spread"}),
    ]
    record = Record(told=[Told(fact, "floor", "robin", args, 0) for fact, args in acts])
    right = [row(n, "table-state-changed", 0.0, state=state) for n, state in enumerate(["opening", "open"])]
    assert checked(record, right)["table"] == (["opening", "open"], ["opening", "open", "idle"])


def panel_pressed() -> tuple[Record, DealersPanel]:
    panel = DealersPanel(PanelBuild(), seeded(1), 0.0)
    panel.press("call-floor", 1.0)
    panel.elapsed(2.0)
    record = Record(
        told=[Told("floor-called", "dealer", "", {}, 1_000_000_000, way="panel")],
        presses=[Press("call-floor", "", "floor-called")],
    )
    return record, panel


def test_a_press_is_told_within_a_second_and_becomes_what_was_meant() -> None:
    record, panel = panel_pressed()
    press = row(1, "panel-pressed", 1.1, button="call-floor", device="panel-1")
    assert checked(record, [press, row(2, "floor-called", 1.1, 1, by=AT_PANEL)], panel) == {}
    late = checked(record, [press, row(2, "floor-called", 2.1, 1, by=AT_PANEL)], panel)
    assert list(late) == ["people"]
    refused = checked(record, [press, row(2, "command-rejected", 1.1, 1, by=AT_PANEL)], panel)
    assert refused["presses"] == (
        [("call-floor", "", "command-rejected")],
        [("call-floor", "", "floor-called")],
    )


def test_of_two_long_lists_only_what_differs_is_shown() -> None:
    assert Check("shakes", [1, 2, 3], [1, 3, 4]).apart() == ([2], [4])
    assert Check("shakes", 3, 4).apart() == (3, 4)
