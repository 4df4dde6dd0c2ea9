"""`felt explain`: from a ruling back to its facts and conditions, and on to what ended it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, device, incident, person, ruling

from .past import Past, write_past

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def misdealt() -> Past:
    """A hand of six cards, which the dealer owns and which is still open. Not to be changed."""
    past = Past()
    past.open()
    past.ready_to_deal()
    past.fault("shoe-1", "stack-size=6")
    past.deal(1)
    past.press("acknowledge")
    past.press("call-floor")
    return past


@pytest.fixture(scope="session")
def misdealt_journal(misdealt: Past, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its journal. Not to be written to."""
    path = tmp_path_factory.mktemp("misdealt") / "journal.db"
    write_past(misdealt, path)
    return path


def test_a_ruling_is_traced_to_its_fact_and_its_conditions_as_they_were(
    ask_felt: Asked, misdealt: Past, misdealt_journal: Path
) -> None:
    made = misdealt.row(ruling.RulingMade, row="wrong-number-of-cards")
    fact = misdealt.row(card.StackDispensed, size=6)
    code, out, _ = ask_felt("explain", made.seq, "--journal", misdealt_journal)
    assert code == 0
    assert f"  {fact.seq}  shoe-1 dispensed a stack of 6 cards of deck red.  [shoe-1, its event" in out
    assert "rule wrong-number-of-cards: 659a." in out
    assert "fires on stack-dispensed" in out
    assert "    yes  hand 6 != hand_cards 7" in out
    assert "incident 1: still open" in out
    assert "It has not ended." in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_last_ruling_needs_no_number(ask_felt: Asked, misdealt: Past, misdealt_journal: Path) -> None:
    last = [row for row in misdealt.rows if isinstance(row.event, ruling.RulingMade)][-1]
    code, out, _ = ask_felt("explain", "--last", "--journal", misdealt_journal)
    assert code == 0
    assert out.startswith(f"row {last.seq} of t-1, ruling-made, 2026-11-30T")


def test_one_json_document_has_all_of_it(ask_felt: Asked, jammed: Past, jammed_journal: Path) -> None:
    made = jammed.row(ruling.RulingMade, row="shoe-jam")
    jam = jammed.row(card.ShoeJammed)
    _, out, _ = ask_felt("explain", made.seq, "--journal", jammed_journal, "--json")
    found = json.loads(out)
    assert found["id"] == f"{found['epoch']}-{made.seq}"
    assert [one["seq"] for one in found["causes"]] == [jam.seq]
    [fired] = found["rule"]["fired"]
    assert fired["on"] == "shoe-jammed"
    assert {tuple(one["values"].items()) for one in fired["conditions"]} == {
        (("phase", "dealing"),),
        (("deal_method", "automated-shoe"),),
    }
    assert all(one["holds"] for one in fired["conditions"])
    assert found["rule"]["effect"] == "stop"
    assert found["rule"]["void"] is True
    assert found["incident"]["ruling"] == made.seq
    ended = [row for row in jammed.rows if isinstance(row.event, incident.HoldEnded)]
    assert {hold["ended"]["seq"] for hold in found["incident"]["holds"] if hold["ended"]} <= {
        row.seq for row in ended
    }
    first = found["incident"]["holds"][0]["ended"]
    assert first["fact"]["says"].startswith("The cards of deck red were taken out of shoe-1")
    assert found["unknown"] is None


def test_an_events_id_names_a_row_of_its_own_journal_only(ask_felt: Asked, jammed_journal: Path) -> None:
    epoch = json.loads(ask_felt("explain", 1, "--journal", jammed_journal, "--json")[1])["epoch"]
    assert ask_felt("explain", f"{epoch}-7", "--journal", jammed_journal)[0] == 0
    code, _, err = ask_felt("explain", "0123456789abcdef-7", "--journal", jammed_journal)
    assert (code, f"is another journal: its epoch is {epoch}" in err) == (1, True)


def test_what_ended_a_hold_is_shown_with_its_remedy(
    ask_felt: Asked, jammed: Past, jammed_journal: Path
) -> None:
    ended = jammed.row(incident.HoldEnded, how="observed")
    code, out, _ = ask_felt("explain", ended.seq, "--journal", jammed_journal)
    assert code == 0
    assert "ends it on shoe-unloaded" in out
    assert f"row {ended.seq} of t-1, hold-ended" in out


def test_a_permit_is_shown_with_all_that_its_gate_waited_for(
    ask_felt: Asked, jammed: Past, jammed_journal: Path
) -> None:
    order = jammed.row(device.OrderIssued, gate="deal")
    _, out, _ = ask_felt("explain", order.seq, "--journal", jammed_journal, "--json")
    needs = json.loads(out)["needs"]
    assert "shoe_deck 'red' != none" in [one["shown"] for one in needs]
    assert all(one["holds"] and one["says"] for one in needs)
    _, out, _ = ask_felt("explain", order.seq, "--journal", jammed_journal)
    assert "the gate waited for" in out


def test_a_fact_is_shown_with_what_it_caused(ask_felt: Asked, jammed: Past, jammed_journal: Path) -> None:
    jam = jammed.row(card.ShoeJammed)
    made = jammed.row(ruling.RulingMade, row="shoe-jam")
    code, out, _ = ask_felt("explain", jam.seq, "--journal", jammed_journal)
    assert code == 0
    assert "It was told; nothing led to it." in out
    assert "what it caused" in out
    assert f"  {made.seq}  Ruling 659a.13(" in out


def test_a_press_stands_before_what_it_meant(ask_felt: Asked, misdealt: Past, misdealt_journal: Path) -> None:
    called = misdealt.row(person.FloorCalled)
    _, out, _ = ask_felt("explain", called.seq, "--journal", misdealt_journal)
    assert f"  {called.cause}  The button call-floor of panel-1 was pressed.  [panel-1, its event" in out


def test_a_hold_of_a_ruling_is_explained_by_the_same_rule(
    ask_felt: Asked, jammed: Past, jammed_journal: Path
) -> None:
    opened = jammed.row(incident.HoldOpened, row="shoe-jam")
    _, out, _ = ask_felt("explain", opened.seq, "--journal", jammed_journal, "--json")
    found = json.loads(out)
    assert found["rule"]["id"] == "shoe-jam"
    assert found["rule"]["fired"][0]["conditions"]


def test_the_same_trouble_again_is_explained_by_its_rule(ask_felt: Asked, tmp_path: Path) -> None:
    past = Past()
    past.jam()
    past.command(commands.Report(what="shoe-jam"), "dealer")
    joined = past.row(incident.IncidentJoined)
    path = tmp_path / "journal.db"
    write_past(past, path)
    _, out, _ = ask_felt("explain", joined.seq, "--journal", path)
    assert "rule shoe-jam: 659a.13(" in out
    assert "fires on reported shoe-jam" in out
    assert "  [dealer Ann, account]" in out


def test_a_doubt_is_explained_by_family_kind_and_phase(ask_felt: Asked, tmp_path: Path) -> None:
    past = Past()
    past.open()
    past.unplug("shoe-1")
    past.run(5.0)
    silent = past.row(device.DeviceStale)
    made = next(
        row for row in past.rows if row.cause == silent.seq and isinstance(row.event, ruling.RulingMade)
    )
    path = tmp_path / "journal.db"
    write_past(past, path)
    _, out, _ = ask_felt("explain", made.seq, "--journal", path)
    assert "rule device-silent: a rule of our own; the text is silent" in out
    assert "fires on shoe stale, always" in out


def test_without_what_was_in_force_the_facts_are_shown_all_the_same(
    ask_felt: Asked, jammed: Past, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    write_past(jammed, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM packs")
    made = jammed.row(ruling.RulingMade, row="shoe-jam")
    code, out, _ = ask_felt("explain", made.seq, "--journal", path)
    assert code == 0
    assert "shoe-1 JAMMED" in out
    assert "Conditions are not shown: the journal does not hold the rule pack" in out
    _, out, _ = ask_felt("explain", jammed.row(incident.HoldEnded).seq, "--journal", path)
    assert "ends it on" not in out


@pytest.mark.parametrize("words", [(), ("7", "--last"), ("seven",), ("0",), ("-1",)])
def test_a_command_line_that_means_nothing_is_refused(
    ask_felt: Asked, jammed_journal: Path, words: tuple[str, ...]
) -> None:
    assert ask_felt("explain", *words, "--journal", jammed_journal)[0] == 2


def test_what_is_not_there_is_said(ask_felt: Asked, jammed_journal: Path, tmp_path: Path) -> None:
    code, _, err = ask_felt("explain", 99_999, "--journal", jammed_journal)
    assert (code, err) == (1, f"felt: there is no row 99999 of t-1 in {jammed_journal}\n")
    assert ask_felt("explain", 1, "--journal", tmp_path / "none.db")[0] == 3
    code, _, err = ask_felt("explain", "--last", "--table", "t-9", "--journal", jammed_journal)
    assert (code, "there is no ruling of t-9" in err) == (1, True)
    empty = tmp_path / "empty.db"
    past = Past()
    past.rows.clear()
    write_past(past, empty)
    assert ask_felt("explain", 1, "--journal", empty)[2] == "felt: the journal has no rows\n"
