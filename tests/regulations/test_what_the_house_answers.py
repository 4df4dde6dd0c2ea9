"""What the texts leave to the house's Rules Submission, and what its answers do at a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.config.load import parse
from felt_daemon.config.problems import ConfigError
from felt_daemon.rules.library import BadPack
from felt_protocols import commands
from felt_protocols.events import round as rounds
from felt_protocols.events import system

from .coup_bench import CoupBench
from .poker_bench import PokerBench
from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from .spoken_table import SpokenTable

    Make = Callable[..., PokerBench]
    Watched = Callable[[SpokenTable], SpokenTable]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Chosen = dict[str, int | str | bool]


def table(chapter: str, elections: Chosen) -> SpokenTable:
    """A table of this chapter at which the house answers so."""
    if chapter in ("627a", "631a", "637a"):
        return CoupBench(chapter, elections=elections)
    return PokerBench(chapter, elections=elections)


@pytest.mark.parametrize(
    ("chapter", "asked", "allowed", "other"),
    [
        pytest.param(
            "627a",
            "cards_face",
            ("face-up", "face-down"),
            "shown",
            marks=pytest.mark.rule("election/cards_face", chapters=("627a",)),
        ),
        pytest.param(
            "631a",
            "turned_by",
            ("dealer", "highest-wager"),
            "curator",
            marks=pytest.mark.rule("election/turned_by", chapters=("631a",)),
        ),
        pytest.param(
            "663a",
            "poker_bonus",
            ("not-offered", "pair-of-6s", "pair-of-7s"),
            "pair-of-8s",
            marks=pytest.mark.rule("election/poker_bonus", chapters=("663a",)),
        ),
        pytest.param(
            "687a",
            "progressive_twos",
            ("not-offered", "natural", "wild"),
            "high",
            marks=pytest.mark.rule("election/progressive_twos", chapters=("687a",)),
        ),
    ],
)
def test_the_house_answers_as_the_text_allows_and_its_answer_is_on_record(
    watched: Watched, chapter: str, asked: str, allowed: tuple[str, ...], other: str
) -> None:
    for answer in allowed:
        bench = watched(table(chapter, {asked: answer}))
        assert bench.rows_of(system.Started)[0].elections[asked] == answer
    with pytest.raises(BadPack, match=asked):
        table(chapter, {asked: other})


@pytest.mark.parametrize(
    ("chapter", "example"),
    [("659a", "asia-poker"), ("663a", "five-card-hi-lo"), ("671a", "lunar-poker"), ("687a", "dj-wild")],
)
@pytest.mark.rule("election/decks", chapters=("659a", "663a", "671a", "687a"))
def test_3_a_and_b_the_house_has_one_deck_or_two_in_use_and_one_is_dealt_again_in_the_next_round(
    poker_of: Make, chapter: str, example: str
) -> None:
    two = (EXAMPLES / f"{example}.toml").read_text(encoding="utf-8")
    without_blue = two.replace('[decks.blue]\nback = "blue"\n', "")
    with pytest.raises(ConfigError, match=r"2 elected and \[decks\] has 1"):
        parse(without_blue.encode(), "table.toml")
    one = without_blue.replace("\ndecks = 2", "\ndecks = 1")
    assert [*parse(one.encode(), "table.toml").decks] == ["red"]
    # Where the dealer shuffles, it goes on from round to round.
    bench = poker_of(chapter, "manual-shoe", decks={"red": "red"}, elections={"decks": 1})
    bench.command(commands.Method(shuffle="hand"))
    for number in (1, 2):
        dealt_and_over(bench)
        assert len(bench.rows_of(rounds.RoundClosed)) == number
        bench.report("deck-shuffled", deck="red")
        red, bench.rack = bench.rack, []
        bench.put_in(red)
    assert bench.rulings() == []


def dealt_and_over(bench: PokerBench) -> None:
    """A sound round out of the manual shoe, as this game has it: of two players, or of all positions."""
    if bench.chapter == "659a":
        bench.no_more_bets()
        bench.run(2.0)
    else:
        bench.ready(1, 2)
    bench.draw({"659a": 49, "687a": 16}.get(bench.chapter, 15))
    if bench.chapter == "671a":
        bench.report("decisions-locked")
    bench.take_stub()
    bench.end_round()


@pytest.mark.parametrize(
    ("chapter", "decks", "total"),
    [
        pytest.param("672a", 6, 312, marks=pytest.mark.rule("election/decks", chapters=("672a",))),
        pytest.param("672a", 8, 416, marks=pytest.mark.rule("election/decks", chapters=("672a",))),
        pytest.param("673a", 1, 52, marks=pytest.mark.rule("election/decks", chapters=("673a",))),
        pytest.param("673a", 4, 208, marks=pytest.mark.rule("election/decks", chapters=("673a",))),
    ],
)
def test_3_a_a_batch_has_as_many_decks_as_the_house_says(
    watched: Watched, chapter: str, decks: int, total: int
) -> None:
    bench = watched(ShoeBench(chapter, elections={"decks": decks}))
    bench.command(commands.ChangeDeck(deck="red"))
    bench.command(commands.CountCards(deck="red", count=total), "dealer")
    assert bench.rulings() == []
    bench.command(commands.CountCards(deck="red", count=total - 1), "dealer")
    assert [one.row for one in bench.rulings()] == ["hand-count-wrong"]


def test_672a_3_a_six_or_eight_decks_and_no_other_number() -> None:
    with pytest.raises(BadPack, match="decks"):
        ShoeBench("672a", elections={"decks": 7})


@pytest.mark.rule("report/deck-shuffled", "dealt-unshuffled")
def test_663a_5_c_and_d_a_deck_that_the_dealer_shuffled_and_cut_is_dealt_and_no_other(poker_of: Make) -> None:
    bench = poker_of("663a", "manual-shoe")
    bench.command(commands.Method(shuffle="hand"))
    for reported in (True, False):
        bench.play(1, 2)
        red, bench.rack = bench.rack, []
        if reported:
            bench.report("deck-shuffled", deck="red")
        bench.put_in(red)
        assert bench.rulings("dealt-unshuffled") == [] or not reported
    assert bench.rulings("dealt-unshuffled")[0].cite == ("663a.5(a)",)
