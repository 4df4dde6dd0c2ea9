"""When the card reader of the blackjack games is used.

58 Pa. Code §§ 665a.7(g), 665a.8(b), and the same in 672a and 673a, where (g) of 673a.7 is (h).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild

from .reader_trials import CHAPTERS, USE, bench_of, dealt
from .shoe_bench import ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.mark.rule("permit/reader", chapters=("665a", "672a", "673a"))
@CHAPTERS
def test_under_a_king_the_reader_is_open_when_the_deal_is_over(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    hole, up = dealt(bench, "KD", "6S")
    assert bench.state.round.notes["up_card"] == "ten"
    bench.insert(hole, up)
    bench.take_out()
    bench.draw()
    bench.end_round()
    assert bench.rulings() == []
    # In the next round it is shut until there is an up card that calls for it.
    with pytest.raises(Refused):
        bench.insert(hole, up)


@pytest.mark.rule("permit/reader", "report/insurance-closed", chapters=("665a", "672a", "673a"))
@CHAPTERS
def test_under_an_ace_the_reader_opens_when_insurance_is_closed(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    hole, up = dealt(bench, "AD", "6S")
    notes = bench.state.round.notes
    assert (notes["up_card"], notes["insurance"]) == ("ace", "open")
    with pytest.raises(Refused):
        bench.insert(hole, up)
    assert "insurance is not closed" in bench.waits("reader")
    bench.report("insurance-closed")
    bench.run(0.3)
    bench.insert(hole, up)
    assert bench.rulings() == []


@pytest.mark.rule("reader-before-insurance")
@CHAPTERS
def test_a_hole_card_that_goes_in_before_insurance_is_closed_is_told(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter, reader=ReaderBuild(shutter=False))
    hole, up = dealt(bench, "AD", "6S")
    bench.insert(hole, up)
    ruling = bench.only_ruling("reader-before-insurance")
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.8(b)",), ("insurance-first", "call-floor"))


def test_without_a_shoe_that_reads_faces_people_tell_the_up_card(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open("8H", "7S", "AD", "5C", "4H", "KS")
    bench.deal(1, 2)
    assert bench.state.round.notes == {}
    bench.press("report", "up-card-ace")
    with pytest.raises(Refused):
        bench.insert(bench.felt[5], bench.felt[2])
    bench.press("report", "insurance-closed")
    bench.insert(bench.felt[5], bench.felt[2])
    assert bench.state.round.notes["dealer_has"] == "blackjack"


@pytest.mark.parametrize(("said", "note"), [("up-card-ten", "ten"), ("up-card-other", "other")])
def test_what_people_say_of_the_up_card_is_noted(watched: Watched, said: str, note: str) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open()
    assert "has no up card" in bench.refused(commands.Report(what=said), "dealer")
    bench.deal(1)
    bench.report(said)
    assert bench.state.round.notes == {"up_card": note, "insurance": "not-due"}
    assert "insurance is for an ace alone" in bench.refused(
        commands.Report(what="insurance-closed"), "dealer"
    )


@pytest.mark.rule("election/up_card", "permit/reader-untold", chapters=("673a",))
def test_where_up_cards_are_not_told_the_reader_is_open_once_the_deal_may_be_over(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False, elections={"up_card": "not-told"}))
    bench.open("8H", "KD", "5C", "6S")
    bench.draw(4)
    bench.insert(bench.felt[3], bench.felt[1])
    bench.take_out()
    bench.draw()
    bench.end_round()
    assert bench.rulings() == []


@pytest.mark.rule("reader-not-used")
@CHAPTERS
def test_a_card_that_comes_before_the_reader_was_used_is_told_once(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    hole, up = dealt(bench, "KD", "6S")
    bench.draw(2)
    ruling = bench.only_ruling("reader-not-used")
    assert (ruling.cite, ruling.directives) == ((USE[chapter],), ("use-reader", "call-floor"))
    bench.insert(hole, up)
    assert not bench.holds()


@pytest.mark.rule("round-without-reader")
@CHAPTERS
def test_a_round_that_ends_without_the_reader_is_told(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    dealt(bench, "KD", "6S")
    bench.end_round()
    assert bench.only_ruling("round-without-reader").cite == (USE[chapter],)


def test_an_up_card_that_is_corrected_waits_for_no_insurance(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open("8H", "KD", "5C", "6S")
    bench.deal(1)
    bench.report("up-card-ace")
    bench.report("up-card-ten")
    assert bench.waits("reader") == ""
    bench.report("up-card-ace")
    assert "insurance is not closed" in bench.waits("reader")


def test_insurance_that_is_closed_before_anybody_tells_of_the_ace_stays_closed(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", reads=False))
    bench.open("8H", "AD", "5C", "6S")
    bench.deal(1)
    bench.report("insurance-closed")
    bench.report("up-card-ace")
    assert bench.waits("reader") == ""


def test_a_reader_open_by_the_house_is_not_shut_by_an_up_card_of_the_round_before(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", elections={"up_card": "not-told"}))
    hole, up = dealt(bench, "AD", "6S")
    bench.insert(hole, up)
    bench.take_out()
    bench.end_round()
    bench.draw()
    bench.insert(hole, up)
    assert bench.rulings() == []


def test_a_blackjack_that_the_reader_says_under_a_nine_is_none(watched: Watched) -> None:
    bench = bench_of(watched, reader=ReaderBuild(shutter=False))
    hole, up = dealt(bench, "9D", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    assert [one.row for one in bench.rulings()] == ["reader-wrong-up-card"]
    bench.draw()


def _used_blindly(watched: Watched, *, insured: bool) -> ShoeBench:
    """Nobody has told of the ace, and the hole card is in the reader."""
    bench = watched(ShoeBench("673a", reads=False, reader=ReaderBuild(shutter=False)))
    hole, up = dealt(bench, "AD", "6S")
    if insured:
        bench.report("insurance-closed")
    bench.insert(hole, up)
    return bench


@pytest.mark.rule("reader-before-insurance", chapters=("673a",))
def test_an_ace_that_is_told_after_the_reader_was_used_wants_its_insurance_all_the_same(
    watched: Watched,
) -> None:
    bench = _used_blindly(watched, insured=False)
    bench.report("up-card-ace")
    ruling = bench.only_ruling("reader-before-insurance")
    assert (ruling.cite, ruling.reported) == (("673a.8(b)",), True)
    # Insurance that was closed before anybody told of the ace stays closed.
    insured = _used_blindly(watched, insured=True)
    insured.report("up-card-ace")
    assert insured.rulings() == []


@pytest.mark.rule("reader-wrong-up-card", chapters=("673a",))
def test_an_up_card_that_is_told_after_the_reader_was_used_is_a_wrong_one_all_the_same(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("673a", reads=False, reader=ReaderBuild(shutter=False)))
    bench.open("8H", "9D", "5C", "6S")
    bench.deal(1)
    bench.insert(bench.felt[3], bench.felt[1])
    assert bench.rulings() == []
    bench.report("up-card-other")
    assert bench.only_ruling("reader-wrong-up-card").cite == ("673a.13(i)",)


@CHAPTERS
@pytest.mark.parametrize("up", ["AD", "KD"])
@pytest.mark.rule("reader-wrong-up-card")
def test_nobody_can_say_that_the_reader_was_used_in_error_under_a_card_that_calls_for_it(
    watched: Watched, chapter: str, up: str
) -> None:
    bench = bench_of(watched, chapter)
    dealt(bench, up, "6S")
    why = bench.refused_report("reader-in-error")
    assert "the up card that was told calls for the reader" in why
    assert bench.rulings() == []
    bench.report("up-card-other")
    bench.report("reader-in-error")
    assert bench.only_ruling_of("reader-wrong-up-card").reported
