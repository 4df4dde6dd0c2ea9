"""Card readers that cannot tell, are not heard or were opened; their inspection: 665a, 672a, 673a .2(d)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device, system
from felt_simulators.devices.hands import Refused

from .reader_trials import CHAPTERS, bench_of, dealt
from .shoe_bench import ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

# Where the text has a jam in a continuous shuffler.
JAM = {"665a": "665a.13(j)", "672a": "672a.12(k)", "673a": "673a.13(k)"}


def test_a_reader_that_is_not_heard_is_missed_in_no_round(watched: Watched) -> None:
    bench = bench_of(watched)
    dealt(bench, "KD", "6S")
    bench.unplug("reader-1")
    bench.run(10.0)
    bench.draw()
    bench.end_round()
    assert [one.row for one in bench.rulings()] == ["device-silent", "reader-not-heard"]


@pytest.mark.rule("reader-not-heard")
@CHAPTERS
def test_a_round_whose_reader_nobody_hears_is_told_to_the_floor(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    dealt(bench, "KD", "6S")
    bench.unplug("reader-1")
    bench.run(10.0)
    bench.end_round()
    assert bench.only_ruling_of("reader-not-heard").basis == "own"


def test_a_reader_under_a_sign_keeps_the_next_round_from_being_dealt(watched: Watched) -> None:
    bench = bench_of(watched)
    dealt(bench, "9D", "6S")
    bench.command(commands.Sign(device="reader-1", sign="out-of-order"))
    bench.end_round()
    assert "the card reader is out of use" in bench.waits("deal")


@pytest.mark.rule("reader-cannot-tell")
@CHAPTERS
def test_a_card_that_cannot_be_read_is_put_in_once_more(watched: Watched, chapter: str) -> None:
    bench = bench_of(watched, chapter)
    hole, up = dealt(bench, "KD", "6S")
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
    bench = bench_of(watched, chapter)
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
    bench = bench_of(watched, chapter)
    dealt(bench, "9D", "6S")
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
    bench = bench_of(watched, chapter)
    bench.take(system.GamingDayBegan(day="2026-03-01"))
    hole, up = dealt(bench, "KD", "6S")
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
