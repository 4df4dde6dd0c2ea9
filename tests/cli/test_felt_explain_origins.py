"""`felt explain`: of each condition, the rows, the election or the constant that its values came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import Reader
from felt_daemon.replay import Laws
from felt_daemon.replay.explanation import explanation_lines
from felt_daemon.replay.origin_words import origin_lines
from felt_daemon.replay.origins import Watch
from felt_daemon.replay.past import Past
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.table import evolve
from felt_protocols.events import card, device, incident, person, reader, ruling
from felt_protocols.events import round as rounds
from felt_simulators.devices.shuffler_build import ShufflerBuild

from ..regulations.poker_bench import PokerBench  # noqa: TID252 - tests are no package that could be named
from ..regulations.shoe_bench import ShoeBench  # noqa: TID252 - as above
from ..regulations.stub_trials import dealt, four_rounds  # noqa: TID252 - as above
from .kept_tables import Kept, keep

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from felt_protocols.events import Row

    Asked = Callable[..., tuple[int, str, str]]

HOLE, UP = "KD", "AS"


@pytest.fixture(scope="session")
def blackjack(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Free Bet Blackjack: the dealer has one under an ace; then an uncut stack is dealt, card by card."""
    bench = ShoeBench("672a", reads=False)
    bench.open("9H", UP, HOLE, "TD")
    bench.deal(1)
    bench.report("up-card-ace")
    bench.report("insurance-closed")
    named = {one.code: one for one in bench.cards["red"]}
    bench.insert(named[HOLE], named[UP])
    bench.take_out()
    bench.end_round()
    bench.empty_shoe()
    bench.shuffle_by_hand()
    bench.load_shoe(bench.stacked("red"), cut=False)
    bench.burn()
    bench.deal(*range(1, 7))
    return keep(bench, tmp_path_factory.mktemp("blackjack") / "journal.db")


@pytest.fixture(scope="session")
def uncounted(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Five Card Hi-Lo: nobody counts the stub in four rounds; in the fifth it is counted."""
    bench = PokerBench("663a", shuffler=ShufflerBuild(shuffle_s=6.0, counts=False))
    bench.open()
    deck = four_rounds(bench)
    dealt(bench, deck)
    bench.take_stub()
    bench.count(37, deck=deck)
    bench.end_round()
    return keep(bench, tmp_path_factory.mktemp("uncounted") / "journal.db")


def explained(ask_felt: Asked, kept: Kept, row: Row) -> dict[str, Any]:
    """The document of a row."""
    code, out, _ = ask_felt("explain", row.seq, "--journal", kept.path, "--json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


def text_of(found: dict[str, Any]) -> str:
    """The same as people read it."""
    return "\n".join(explanation_lines(found, 100)) + "\n"


def because(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Where each value of the first way to fire came from, by its name."""
    return {one["name"]: one for asked in found["rule"]["fired"][0]["conditions"] for one in asked["because"]}


def test_a_note_is_led_back_to_the_report_that_set_it(ask_felt: Asked, blackjack: Kept) -> None:
    made = blackjack.row(ruling.RulingMade, row="dealer-blackjack")
    reported = blackjack.row(person.Reported, report="up-card-ace")
    noted = blackjack.row(rounds.RoundNoted, name="up_card", value="ace")
    _, out, _ = ask_felt("explain", made.seq, "--journal", blackjack.path)
    assert (
        "    yes  up_card 'ace' in ('ace', 'ten', none)\n"
        f"      up_card 'ace' since row {reported.seq}: Reported: The dealer's up card is an ace;"
    ) in out
    assert f"\n        {noted.seq}  In round 1, up card is ace from here.\n" in out
    up_card = because(explained(ask_felt, blackjack, made))["up_card"]
    assert (up_card["from"], up_card["value"], up_card["began"]) == ("rows", "ace", None)
    [row] = up_card["rows"]
    assert (row["seq"], row["value"], [one["seq"] for one in row["causes"]]) == (
        noted.seq,
        "ace",
        [reported.seq],
    )


def test_what_the_fact_says_itself_is_named_so(ask_felt: Asked, blackjack: Kept) -> None:
    made = blackjack.row(ruling.RulingMade, row="dealer-blackjack")
    read = blackjack.row(reader.HoleCardRead)
    found = explained(ask_felt, blackjack, made)
    out = text_of(found)
    assert f"    yes  blackjack true == true\n      blackjack as row {read.seq} itself says\n" in out
    told = because(found)["blackjack"]
    assert (told["from"], [one["seq"] for one in told["rows"]]) == ("fact", [read.seq])


def test_of_a_long_count_its_beginning_and_its_last_rows_are_told(blackjack: Kept) -> None:
    drawn = [one for one in blackjack.rows if isinstance(one.event, card.CardDrawn)]
    last = drawn[-1]
    with Reader(blackjack.path) as journal:
        past = Past(Laws(journal, software_digest(packages())), "t-1")
        law = past.law_before(last.seq)
        watch = Watch(law, last, {"cards_dealt", "family", "size"})
        state = past.state_before(last.seq, law, watch)
        state = evolve(state, last)
        watch.see(last, state)
    # Six hands and the dealer's, two cards each, out of the second shoe.
    told = watch.origin(state)("cards_dealt", 14)
    assert [one["value"] for one in told["rows"]] == [0, *range(4, 15)]
    assert [one["seq"] for one in told["rows"][1:]] == [one.seq for one in drawn[-11:]]
    assert told["left_out"] == 3
    assert (2, "", "and so on, 3 rows") in list(origin_lines(1, [told], ()))
    assert watch.origin(state)("family", "shoe")["from"] == "fact"


def test_no_card_that_lay_face_down_is_named(ask_felt: Asked, blackjack: Kept) -> None:
    for row in blackjack.rows:
        if isinstance(row.event, ruling.RulingMade):
            assert f'"{HOLE}"' not in json.dumps(explained(ask_felt, blackjack, row))


def test_a_decks_mark_is_led_back_to_the_row_that_took_it(ask_felt: Asked, blackjack: Kept) -> None:
    made = blackjack.row(ruling.RulingMade, row="stack-not-cut")
    taken_out = blackjack.row(card.ShoeUnloaded)
    found = explained(ask_felt, blackjack, made)
    out = text_of(found)
    assert (
        "    yes  deck_cut false == false\n"
        f"      deck_cut false since row {taken_out.seq}: The cards of deck red were taken out of shoe-1"
    ) in out
    cut = because(found)["deck_cut"]
    assert [(one["seq"], one["value"], one["causes"]) for one in cut["rows"]] == [(taken_out.seq, False, [])]


def test_an_election_that_sets_a_constant_is_named(ask_felt: Asked, blackjack: Kept) -> None:
    made = blackjack.row(ruling.RulingMade, row="stack-not-cut")
    found = explained(ask_felt, blackjack, made)
    out = text_of(found)
    assert "; uncut_from goes by the election feeding = dealer\n" in out
    assert because(found)["uncut_from"] == {
        "name": "uncut_from",
        "value": "nobody",
        "from": "election",
        "election": "feeding",
        "answer": "dealer",
        "rows": [],
    }


def test_a_count_that_turned_begins_where_it_turned(ask_felt: Asked, blackjack: Kept) -> None:
    made = blackjack.row(ruling.RulingMade, -1, row="burn-due")
    burnt = blackjack.row(card.CardDrawn)
    loaded = blackjack.row(card.ShoeLoaded, -1)
    found = explained(ask_felt, blackjack, made)
    out = text_of(found)
    assert (
        "      burns_due, from 0 to 1\n"
        f"        0 since row {burnt.seq}: One card came out of shoe-1 face down.  [shoe-1, its event 2]\n"
        f"        1 since row {loaded.seq} itself\n"
    ) in out


def test_a_counter_is_told_from_its_beginning_round_by_round(ask_felt: Asked, uncounted: Kept) -> None:
    made = uncounted.row(ruling.RulingMade, row="stub-count-due-automated-shoe")
    ended = [uncounted.row(person.RoundEnded, nth).seq for nth in range(4)]
    closed = [uncounted.row(rounds.RoundClosed, nth).seq for nth in range(4)]
    found = explained(ask_felt, uncounted, made)
    out = text_of(found)
    lines = [
        "    yes  rounds_since_count 4 >= uncounted_most 4",
        "      uncounted_most is a constant of the pack",
        "      rounds_since_count, one by one",
        "        0 since the journal begins",
    ]
    for number in range(4):
        lines += [
            f"        {number + 1} since row {ended[number]}: Finished the round.  [dealer Ann, account]",
            f"          {closed[number]}  Round {number + 1} was completed: 2 hands.",
        ]
    assert "\n".join(lines) in out
    count = because(found)["rounds_since_count"]
    assert (count["began"], count["left_out"]) == ({"value": 0, "before": None}, 0)
    assert [(one["value"], one["seq"]) for one in count["rows"]] == [*zip((1, 2, 3, 4), closed, strict=True)]


def test_what_never_changed_and_what_was_elected_are_told_apart(ask_felt: Asked, uncounted: Kept) -> None:
    made = uncounted.row(ruling.RulingMade, row="stub-count-due-automated-shoe")
    found = explained(ask_felt, uncounted, made)
    out = text_of(found)
    assert "      shuffler_counts false since the journal begins\n" in out
    assert "      deal_method goes by the election deal = automated-shoe\n" in out
    told = because(found)
    assert told["shuffler_counts"]["from"] == "before"
    assert told["uncounted_most"]["from"] == "pack"
    assert (told["deal_method"]["from"], told["deal_method"]["answer"]) == ("election", "automated-shoe")


def test_a_permit_says_of_all_that_it_waited_for_since_when_it_is_so(
    ask_felt: Asked, uncounted: Kept
) -> None:
    order = uncounted.row(device.OrderIssued, gate="deal")
    loaded = uncounted.row(card.ShoeLoaded)
    found = explained(ask_felt, uncounted, order)
    needs = found["needs"]
    [row] = next(one["rows"] for need in needs for one in need["because"] if one["name"] == "shoe_deck")
    assert loaded.seq in [one["seq"] for one in row["causes"]]
    out = text_of(found)
    assert f"since row {loaded.seq}: Cards were put into shoe-1." in out


def test_advice_that_people_tell_too_is_explained_by_its_rule(ask_felt: Asked, tmp_path: Path) -> None:
    bench = PokerBench("663a")
    bench.open()
    bench.ready(1, 2)
    bench.fault("shoe-1", "face-up=1")
    bench.hands_out(2)
    bench.report("card-face-up")
    kept = keep(bench, tmp_path / "journal.db")
    joined = kept.row(incident.IncidentJoined)
    found = explained(ask_felt, kept, joined)
    assert found["rule"]["id"] == "face-up-card"
    assert "\n  fires on reported card-face-up, always\n" in text_of(found)


def test_a_snapshot_that_is_near_hides_nothing(ask_felt: Asked, uncounted: Kept, tmp_path: Path) -> None:
    made = uncounted.row(ruling.RulingMade, row="stub-count-due-automated-shoe")
    later = uncounted.again(tmp_path / "journal.db", state_after=made.seq - 10)
    assert explained(ask_felt, later, made) == explained(ask_felt, uncounted, made) | {
        "epoch": later.epoch,
        "id": f"{later.epoch}-{made.seq}",
    }


@pytest.mark.parametrize("bound", ["LOOKED_BACK_ROWS", "MOST_FOLDED_ROWS"])
def test_of_what_was_so_farther_back_than_was_looked_no_more_is_said(
    ask_felt: Asked, uncounted: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(f"felt_daemon.replay.past.{bound}", 10)
    made = uncounted.row(ruling.RulingMade, row="stub-count-due-automated-shoe")
    closed = [uncounted.row(rounds.RoundClosed, nth).seq for nth in range(4)]
    later = uncounted.again(tmp_path / "journal.db", state_after=closed[1])
    document = explained(ask_felt, later, made)
    found = because(document)
    count = found["rounds_since_count"]
    counted = [(one["value"], one["seq"]) for one in count["rows"]]
    assert count["began"] == {"value": 2, "before": closed[1] + 1}
    assert counted == [(3, closed[2]), (4, closed[3])]
    assert found["deal_method"]["began"] == {"value": "automated-shoe", "before": closed[1] + 1}
    out = text_of(document)
    assert f"        2 since before row {closed[1] + 1}\n" in out
    assert f"      deal_method 'automated-shoe' since before row {closed[1] + 1}\n" in out
