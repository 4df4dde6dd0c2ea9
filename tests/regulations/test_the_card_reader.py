"""The card reader of the blackjack games: when it is used, what it says, and when it fails.

58 Pa. Code §§ 665a.2(d), 665a.7(g), 665a.8(b), and the same in 672a and 673a, where (g) of 673a.7 is (h).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device, system
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import ReaderBuild
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card

    Watched = Callable[[ShoeBench], ShoeBench]

# Where the text has the use of the reader.
USE = {"665a": "665a.7(g)", "672a": "672a.7(g)", "673a": "673a.7(h)"}
JAM = {"665a": "665a.13(j)", "672a": "672a.12(k)", "673a": "673a.13(k)"}
CHAPTERS = pytest.mark.parametrize("chapter", ["665a", "672a", "673a"])


def _dealt(bench: ShoeBench, up: str, hole: str) -> tuple[Card, Card]:
    """A round of two players with these cards for the dealer: the hole card and the up card."""
    boxes = ("8H", "7S", "5C", "4H")
    if bench.chapter == "665a":
        bench.open(up, *boxes, hole)
        bench.deal(1, 2)
        return bench.felt[5], bench.felt[0]
    bench.open(*boxes[:2], up, *boxes[2:], hole)
    bench.deal(1, 2)
    return bench.felt[5], bench.felt[2]


def _of(watched: Watched, chapter: str = "673a", **builds: ReaderBuild | ManualShoeBuild) -> ShoeBench:
    return watched(ShoeBench(chapter, **builds))  # type: ignore[arg-type]  # a build by its name


# ---- The up card calls for it ----------------------------------------------------------------------


@pytest.mark.rule("permit/reader", chapters=("665a", "672a", "673a"))
@CHAPTERS
def test_under_a_king_the_reader_is_open_when_the_deal_is_over(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    hole, up = _dealt(bench, "KD", "6S")
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
    bench = _of(watched, chapter)
    hole, up = _dealt(bench, "AD", "6S")
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
    bench = _of(watched, chapter, reader=ReaderBuild(shutter=False))
    hole, up = _dealt(bench, "AD", "6S")
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
    bench = _of(watched, chapter)
    hole, up = _dealt(bench, "KD", "6S")
    bench.draw(2)
    ruling = bench.only_ruling("reader-not-used")
    assert (ruling.cite, ruling.directives) == ((USE[chapter],), ("use-reader", "call-floor"))
    bench.insert(hole, up)
    assert not bench.holds()


@pytest.mark.rule("round-without-reader")
@CHAPTERS
def test_a_round_that_ends_without_the_reader_is_told(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    _dealt(bench, "KD", "6S")
    bench.end_round()
    assert bench.only_ruling("round-without-reader").cite == (USE[chapter],)


def test_a_reader_that_is_not_heard_is_missed_in_no_round(watched: Watched) -> None:
    bench = _of(watched)
    _dealt(bench, "KD", "6S")
    bench.unplug("reader-1")
    bench.run(10.0)
    bench.draw()
    bench.end_round()
    assert [one.row for one in bench.rulings()] == ["device-silent", "reader-not-heard"]


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
    hole, up = _dealt(bench, "AD", "6S")
    bench.insert(hole, up)
    bench.take_out()
    bench.end_round()
    bench.draw()
    bench.insert(hole, up)
    assert bench.rulings() == []


def test_a_blackjack_that_the_reader_says_under_a_nine_is_none(watched: Watched) -> None:
    bench = _of(watched, reader=ReaderBuild(shutter=False))
    hole, up = _dealt(bench, "9D", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    assert [one.row for one in bench.rulings()] == ["reader-wrong-up-card"]
    bench.draw()


# ---- After a Blackjack no further card is dealt ----------------------------------------------------


@pytest.mark.rule("dealer-blackjack")
@CHAPTERS
def test_after_a_blackjack_the_shoe_is_shut_until_the_round_is_over(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    hole, up = _dealt(bench, "KD", "AS")
    bench.insert(hole, up)
    ruling = bench.only_ruling("dealer-blackjack")
    assert (ruling.cite, ruling.effect) == ((USE[chapter],), "stop")
    assert "BLACKJACK: NO MORE CARDS, SETTLE" in bench.shown()
    with pytest.raises(Refused):
        bench.draw()
    assert not bench.state.round.void
    bench.take_out()
    bench.end_round()
    assert not bench.holds()
    bench.draw()


@pytest.mark.rule("card-after-blackjack", "drawn-without-permit")
@CHAPTERS
def test_a_card_out_of_a_shoe_without_a_lock_after_a_blackjack_is_told(
    watched: Watched, chapter: str
) -> None:
    bench = _of(watched, chapter, shoe=ManualShoeBuild(locks=False))
    hole, up = _dealt(bench, "KD", "AS")
    bench.report("up-card-ten")
    bench.run(0.3)
    bench.insert(hole, up)
    bench.draw()
    told = bench.rulings("card-after-blackjack")[0]
    assert (told.cite, told.directives) == ((USE[chapter],), ("floor-settles", "call-floor"))


def test_after_a_blackjack_a_continuous_shuffler_is_shut_too(watched: Watched) -> None:
    bench = watched(ShoeBench("673a", deal=ENDLESS, reads=False))
    bench.open_endless()
    bench.deal(1)
    bench.report("up-card-ten")
    bench.run(0.3)
    king = next(card for card in bench.cards["red"] if card.code == "KD")
    ace = next(card for card in bench.cards["red"] if card.code == "AS")
    bench.insert(ace, king)
    assert bench.only_ruling("dealer-blackjack").effect == "stop"
    with pytest.raises(Refused):
        bench.draw()


def test_an_answer_that_a_floorperson_sees_to_be_wrong_is_overridden_and_the_shoe_opens(
    watched: Watched,
) -> None:
    bench = _of(watched)
    hole, up = _dealt(bench, "KD", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    [hold] = bench.state.holds
    bench.command(commands.Override(hold=hold, reason="the hole card is a six"))
    bench.run(0.3)
    bench.draw()


def test_a_reader_that_is_asked_again_and_says_no_blackjack_opens_the_shoe(watched: Watched) -> None:
    bench = _of(watched)
    hole, up = _dealt(bench, "KD", "6S")
    bench.fault("reader-1", "wrong-answer")
    bench.insert(hole, up)
    bench.take_out()
    with pytest.raises(Refused):
        bench.draw()
    bench.insert(hole, up)
    bench.draw()


def _used_blindly(watched: Watched, *, insured: bool) -> ShoeBench:
    """Nobody has told of the ace, and the hole card is in the reader."""
    bench = watched(ShoeBench("673a", reads=False, reader=ReaderBuild(shutter=False)))
    hole, up = _dealt(bench, "AD", "6S")
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
    bench = _of(watched, chapter)
    _dealt(bench, up, "6S")
    why = bench.refused_report("reader-in-error")
    assert "the up card that was told calls for the reader" in why
    assert bench.rulings() == []
    bench.report("up-card-other")
    bench.report("reader-in-error")
    assert bench.only_ruling_of("reader-wrong-up-card").reported


@pytest.mark.rule("reader-not-heard")
@CHAPTERS
def test_a_round_whose_reader_nobody_hears_is_told_to_the_floor(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    _dealt(bench, "KD", "6S")
    bench.unplug("reader-1")
    bench.run(10.0)
    bench.end_round()
    assert bench.only_ruling_of("reader-not-heard").basis == "own"


def test_a_reader_under_a_sign_keeps_the_next_round_from_being_dealt(watched: Watched) -> None:
    bench = _of(watched)
    _dealt(bench, "9D", "6S")
    bench.command(commands.Sign(device="reader-1", sign="out-of-order"))
    bench.end_round()
    assert "the card reader is out of use" in bench.waits("deal")


# ---- When it cannot tell, or fails -----------------------------------------------------------------


@pytest.mark.rule("reader-cannot-tell")
@CHAPTERS
def test_a_card_that_cannot_be_read_is_put_in_once_more(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    hole, up = _dealt(bench, "KD", "6S")
    bench.fault("reader-1", "unreadable")
    bench.insert(hole, up)
    assert bench.only_ruling("reader-cannot-tell").directives == ("read-again",)
    assert "PUT HOLE CARD IN ONCE MORE" in bench.shown()
    bench.take_out()
    bench.insert(hole, up)
    assert "PUT HOLE CARD IN ONCE MORE" not in bench.shown()


@pytest.mark.rule("reader-not-understood")
@CHAPTERS
def test_a_reader_that_nobody_understands_is_looked_at(watched: Watched, chapter: str) -> None:
    bench = _of(watched, chapter)
    bench.open()
    bench.take(device.DeviceFaulted(device="reader-1", code="not-understood"))
    assert bench.only_ruling("reader-not-understood").effect == "advise"
    bench.inspect("reader-1")
    assert not bench.holds()


@pytest.mark.rule("reader-opened")
@CHAPTERS
def test_a_reader_whose_case_was_opened_is_inspected_before_the_next_round(
    watched: Watched, chapter: str
) -> None:
    bench = _of(watched, chapter)
    _dealt(bench, "9D", "6S")
    bench.reader.open_case(bench.now)
    bench.run(0.3)
    assert bench.only_ruling("reader-opened").basis == "own"
    # The round goes on; closed again is not inspected.
    bench.draw()
    bench.reader.close_case(bench.now)
    bench.run(0.3)
    bench.end_round()
    with pytest.raises(Refused):
        bench.draw()
    bench.inspect("reader-1")
    bench.draw()


@pytest.mark.rule("inspection/hole-card-reader", chapters=("665a", "672a", "673a"))
@pytest.mark.rule("reader-not-inspected")
@CHAPTERS
def test_a_reader_that_was_not_inspected_in_this_gaming_day_is_told_and_dealt_with(
    watched: Watched, chapter: str
) -> None:
    bench = _of(watched, chapter)
    bench.take(system.GamingDayBegan(day="2026-03-01"))
    hole, up = _dealt(bench, "KD", "6S")
    assert [(one.device, one.cite) for one in bench.rows_of(device.InspectionDue)] == [
        ("reader-1", (f"{chapter}.2(d)",))
    ]
    bench.insert(hole, up)
    ruling = bench.only_ruling("reader-not-inspected")
    assert (ruling.cite, ruling.effect) == ((f"{chapter}.2(d)",), "advise")
    bench.take_out()
    bench.draw()
    bench.inspect("reader-1")
    assert not bench.holds()


@pytest.mark.rule("continuous-shuffler-jam", "continuous-count-wrong", "continuous-shuffler-restarted")
@CHAPTERS
def test_a_blackjack_game_out_of_a_continuous_shuffler_has_its_troubles_too(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, deal=ENDLESS, reads=False))
    bench.open_endless()
    bench.deal(1)
    bench.report("continuous-shuffler-jam")
    bench.fault("shoe-1", "miscount=-1")
    bench.shoe.press_count(bench.now)
    bench.run(0.3)
    bench.shoe.power_cycle(bench.now)
    bench.run(8.0)
    told = {one.row: one.cite for one in bench.rulings()}
    assert told["continuous-shuffler-jam"] == (JAM[chapter],)
    assert told["continuous-count-wrong"] == ()
    assert told["continuous-shuffler-restarted"] == ()
