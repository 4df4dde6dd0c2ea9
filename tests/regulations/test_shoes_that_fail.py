"""A shoe of 665a, 672a, 673a or 686a that fails, for which their texts have no subsection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .shoe_bench import EACH, ENDLESS, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]


@pytest.fixture
def opened(watched: Watched, chapter: str) -> ShoeBench:
    """An open table with one batch in a shoe that reads no faces; the first card is burnt."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    return bench


@pytest.mark.rule("shoe-count-wrong")
@EACH
def test_a_shoe_that_counts_as_it_is_loaded_must_count_the_whole_batch(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(counts_loading=True)))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.load_shoe(bench.stacked("red")[:-1])
    ruling = bench.only_ruling_of("shoe-count-wrong")
    assert (ruling.basis, ruling.directives) == ("own", ("count-deck", "search-device"))
    assert ("shoe-count-wrong", "red") in bench.holds()


@pytest.mark.rule("shoe-unusable")
@pytest.mark.parametrize("shown", ["fault", "report"])
@EACH
def test_a_shoe_that_cannot_be_used_deals_no_next_round(opened: ShoeBench, shown: str) -> None:
    if shown == "fault":
        opened.fault("shoe-1", "unusable=motor")
        opened.run(0.3)
    else:
        opened.report("shoe-unusable")
    assert opened.only_ruling("shoe-unusable").directives == ("new-shoe", "call-floor")
    assert "shoe-unusable" in opened.waits("deal")


@pytest.mark.rule("shoe-silent-in-round")
@EACH
def test_a_shoe_that_is_silent_in_a_round_tells_its_cards_afterwards(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(2)
    opened.unplug("shoe-1")
    opened.run(4.0)
    opened.draw(2)
    opened.run(5.0)
    assert opened.only_ruling_of("shoe-silent-in-round").effect == "no-new-round"
    assert opened.places()["table"] == 2
    opened.plug("shoe-1")
    opened.run(10.0)
    assert opened.places()["table"] == 4
    assert opened.state.phase == "playing"
    assert not opened.holds()


@pytest.mark.rule("shoe-forgot")
@EACH
def test_a_shoe_that_restarts_in_a_round_is_in_doubt_until_it_is_emptied(opened: ShoeBench) -> None:
    opened.begin(1)
    opened.draw(2)
    opened.shoe.power_cycle(opened.now)
    opened.run(8.0)
    assert opened.only_ruling_of("shoe-forgot").effect == "advise"
    # It is given its permit anew, and the round goes on.
    opened.draw(2)
    opened.end_round()
    opened.empty_shoe()
    assert not opened.holds()


@pytest.mark.rule("continuous-shuffler-unusable")
@EACH
def test_a_continuous_shuffler_that_cannot_be_used_deals_no_next_round(
    watched: Watched, chapter: str
) -> None:
    bench = watched(ShoeBench(chapter, deal=ENDLESS))
    bench.open_endless()
    bench.report("continuous-shuffler-unusable")
    assert "continuous-shuffler-unusable" in bench.waits("deal")


@pytest.mark.rule("shoe-not-understood")
@EACH
def test_a_shoe_that_nobody_understands_deals_no_next_round(opened: ShoeBench) -> None:
    opened.take(device.DeviceFaulted(device="shoe-1", code="not-understood"))
    assert opened.only_ruling("shoe-not-understood").effect == "no-new-round"
    assert "shoe-not-understood" in opened.waits("deal")


@pytest.mark.rule("signed-device-works")
@EACH
def test_a_signed_shoe_that_gives_cards_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(ShoeBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open()
    bench.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    bench.draw()
    assert "signed-device-works" in [one.row for one in bench.rulings()]


def test_the_reader_that_is_missing_from_a_table_of_blackjack_is_no_matter_of_over_under(
    watched: Watched,
) -> None:
    bench = watched(ShoeBench("686a"))
    bench.open()
    assert "reader" not in {gate.id for gate in bench.pack.gates}
    assert bench.waits("deal") == ""
