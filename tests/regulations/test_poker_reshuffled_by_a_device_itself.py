"""659a.5(f), 663a.5(g), 671a.5(g), 687a.5(g): what a device that reshuffles by itself spares, and what not.

The cut, the new cut and the cards that lie spread fall away in each text; the count that sends a deck away in
663a alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import load
from felt_protocols import commands

from .poker_bench import ANSWERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

POKER = ("659a", "663a", "671a", "687a")
# The two that say it most differently in every run.
EACH = pytest.mark.parametrize(
    "chapter",
    [pytest.param(one, marks=() if one in {"659a", "663a"} else pytest.mark.long) for one in POKER],
)
CITE = {"659a": "659a.5(f)", "663a": "663a.5(g)", "671a": "671a.5(g)", "687a": "687a.5(g)"}
# Where each text has the cut of preshuffled cards and the new cut.
CUT = {
    "659a": ("659a.5(b)(2)", "659a.5(c)"),
    "663a": (),
    "671a": ("671a.5(c)(2)", "671a.5(d)"),
    "687a": ("687a.5(c)(2)", "687a.5(d)"),
}
RECUT = {"659a": "659a.5(d)", "663a": "663a.5(e)", "671a": "671a.5(e)", "687a": "687a.5(e)"}
ELECTED = {"self_reshuffling": "yes"}


@pytest.mark.parametrize("chapter", POKER)
def test_whether_a_device_reshuffles_by_itself_the_house_says_by_this_subsection(chapter: str) -> None:
    asked = load(chapter, ANSWERS[chapter]).elections["self_reshuffling"]
    assert (asked.cite, asked.by_default, asked.choices) == ((CITE[chapter],), "no", ("no", "yes"))


@EACH
@pytest.mark.rule(
    "election/self_reshuffling",
    "recut-ordered",
    "preshuffled-deck-cut",
    chapters=("659a", "663a", "671a", "687a"),
)
def test_no_deck_is_cut_until_people_shuffle_because_the_device_is_out_of_order(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, elections=ELECTED)
    bench.command(commands.Order(what="recut"))
    bench.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    assert (bench.rulings(), bench.holds()) == ([], set())
    bench.take_from_shuffler()
    bench.command(commands.Sign(device="shuffler-1", sign="out-of-order"))
    bench.command(commands.Method(shuffle="hand"))
    bench.command(commands.Order(what="recut"))
    assert bench.only_ruling("recut-ordered").cite == (RECUT[chapter],)
    bench.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    assert bench.rulings("preshuffled-deck-cut")[0].cite == CUT[chapter]


@EACH
@pytest.mark.rule("recut-too-late", "election/self_reshuffling", chapters=("659a", "663a", "671a", "687a"))
def test_a_new_cut_that_comes_too_late_is_told_where_there_are_cuts_alone(
    poker_of: Make, chapter: str
) -> None:
    told = {}
    for answer in ("no", "yes"):
        bench = poker_of(chapter, elections={"self_reshuffling": answer})
        if chapter == "659a":
            bench.no_more_bets()
            bench.run(2.0)
        else:
            bench.ready(1, 2)
        bench.deal(1)
        bench.command(commands.Order(what="recut"))
        told[answer] = [(one.row, one.cite) for one in bench.rulings()]
    assert told == {"no": [("recut-too-late", (RECUT[chapter],))], "yes": []}


@EACH
@pytest.mark.rule(
    "report/cards-spread", "election/self_reshuffling", chapters=("659a", "663a", "671a", "687a")
)
def test_no_cards_are_spread_where_nobody_plays_until_people_shuffle(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, elections=ELECTED)
    said = f"a device reshuffles the cards by itself, and none are spread ({CITE[chapter]})"
    assert said in bench.refused_report("cards-spread")
    assert bench.state.table == "open"
    bench.command(commands.Sign(device="shuffler-1", sign="out-of-order"))
    bench.command(commands.Method(shuffle="hand"))
    bench.report("cards-spread")
    assert bench.state.table == "idle"


@EACH
@pytest.mark.rule("new-deck-not-prepared", "deck-not-prepared", chapters=("659a", "663a", "671a", "687a"))
def test_a_new_deck_is_prepared_all_the_same_and_nothing_is_said_of_cards_that_lay_spread(
    poker_of: Make, chapter: str
) -> None:
    cites = {}
    for answer in ("no", "yes"):
        bench = poker_of(chapter, elections={"self_reshuffling": answer})
        bench.take_from_shuffler()
        bench.command(commands.ChangeDeck(deck="blue"))
        bench.shuffle(bench.cards["blue"])
        bench.take_rest()
        bench.to_shoe()
        [ruling] = [one for one in bench.rulings() if one.row.endswith("not-prepared")]
        assert (ruling.effect, ruling.subject_id, ruling.directives) == ("advise", "blue", ("inspect-deck",))
        cites[ruling.row] = ruling.cite
        assert ruling.row in [one.row for one in bench.state.round.notices]
        bench.take_rest()
        bench.report("deck-inspected", deck="blue")
        # Who begins to prepare it is told no more.
        assert ruling.row not in [one.row for one in bench.state.round.notices]
    opened = (f"{chapter}.4(a)", f"{chapter}.4(b)", f"{chapter}.4(c)")
    idle = "659a.5(e)" if chapter == "659a" else f"{chapter}.5(f)"
    assert cites == {"deck-not-prepared": (*opened, idle), "new-deck-not-prepared": opened}


@EACH
@pytest.mark.rule("new-deck-not-prepared")
def test_a_deck_that_was_spread_while_people_shuffled_is_prepared_before_the_device_has_it_again(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, elections=ELECTED)
    bench.command(commands.Sign(device="shuffler-1", sign="out-of-order"))
    bench.command(commands.Method(shuffle="hand"))
    bench.report("cards-spread")
    bench.take_rest()
    bench.command(commands.Sign(device="shuffler-1", sign="removed"))
    bench.command(commands.Method(shuffle="device"))
    bench.shoe.load(bench.rack, bench.now)
    bench.run(0.5)
    before = len(bench.rulings("new-deck-not-prepared"))
    bench.report("play-resumes")
    *_, ruling = bench.rulings("new-deck-not-prepared")
    assert len(bench.rulings("new-deck-not-prepared")) == before + 1
    assert (ruling.subject_id, ruling.directives) == ("red", ("inspect-deck",))
    assert "since it came or was last spread" in ruling.says
    assert bench.rulings("deck-not-prepared") == []


@pytest.mark.rule("new-deck-not-prepared", "deck-not-prepared", chapters=("663a",))
def test_a_new_deck_that_is_dealt_from_the_hand_is_prepared_too(poker_of: Make) -> None:
    told = {}
    for answer in ("no", "yes"):
        bench = poker_of("663a", "hand", elections={"self_reshuffling": answer})
        bench.ready(1)
        bench.hands_out(2)
        assert bench.rulings() == []
        bench.end_round()
        bench.command(commands.ChangeDeck(deck="red"))
        bench.ready(1)
        bench.report("cards-dealt", deck="red")
        told[answer] = [one.row for one in bench.rulings() if one.row.endswith("not-prepared")]
    assert told == {"no": ["deck-not-prepared"], "yes": ["new-deck-not-prepared"]}


@pytest.mark.parametrize(
    ("chapter", "row", "cite"),
    [
        ("659a", "shuffler-count-wrong", ()),
        ("663a", "shuffler-count-wrong", ()),
        ("671a", "wrong-count-removes-deck", ("671a.5(b)",)),
        pytest.param("687a", "wrong-count-removes-deck", ("687a.5(b)",), marks=pytest.mark.long),
    ],
)
@pytest.mark.rule("election/self_reshuffling", chapters=("659a", "663a", "671a", "687a"))
def test_a_wrong_count_of_such_a_device_sends_the_deck_away_where_the_text_leaves_that(
    poker_of: Make, chapter: str, row: str, cite: tuple[str, ...]
) -> None:
    bench = poker_of(chapter, elections=ELECTED)
    cards = bench.take_from_shuffler()
    bench.fault("shuffler-1", "miscount=1")
    bench.shuffle(cards)
    assert bench.only_ruling(row).cite == cite
    bench.take_from_shuffler()
    bench.count(53 if chapter in {"659a", "687a"} else 52, "deck", "blue")
    # What is a doubt alone, a right count by people ends.
    assert bench.holds() == (set() if cite == () else {(row, "blue")})
