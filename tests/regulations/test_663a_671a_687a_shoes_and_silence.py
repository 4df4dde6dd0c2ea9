"""What shoes, signs and silence do at the three poker tables with seats, as the parts of their packs say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, device
from felt_simulators.devices.manual_shoe import CardSticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

# One chapter in every run, and the two others, which have these rows from the same parts, in the long one.
CHAPTERS = pytest.mark.parametrize(
    "chapter",
    ["687a", pytest.param("663a", marks=pytest.mark.long), pytest.param("671a", marks=pytest.mark.long)],
)


def rows(bench: PokerBench) -> list[str]:
    """The rows of all rulings so far."""
    return [one.row for one in bench.rulings()]


def dealt_from_the_hand(bench: PokerBench) -> PokerBench:
    """Two players are dealt from the hand, while the shoe stands there empty."""
    bench.command(commands.Method(deal="hand"))
    bench.take_stub()
    bench.ready(1, 2)
    bench.report("cards-dealt", deck="red")
    return bench


@CHAPTERS
@pytest.mark.rule("shoe-jam-outside-a-deal", "report-contradicts-shoe")
def test_a_jam_reported_of_a_shoe_that_is_not_dealt_from_waits_for_an_inspection(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.report("shoe-jam")
    assert rows(bench) == ["shoe-jam-outside-a-deal", "report-contradicts-shoe"]
    bench.command(commands.Inspect(device="shoe-1", result="in-order"), "tech")
    assert bench.holds() == set()


@CHAPTERS
@pytest.mark.rule("shoe-jam-beside-the-deal")
@pytest.mark.parametrize("fact", [card.ShoeJammed(device="shoe-1"), card.ShoeStopped(device="shoe-1")])
def test_a_shoe_that_fails_while_a_void_round_was_dealt_from_the_hand_is_cleared_first(
    poker_of: Make, chapter: str, fact: card.ShoeFact
) -> None:
    bench = dealt_from_the_hand(poker_of(chapter))
    bench.report("wrong-number")
    bench.take(fact)
    [ruling] = bench.rulings("shoe-jam-beside-the-deal")
    assert (ruling.effect, ruling.cite, ruling.directives) == ("no-new-round", (), ("clear-jam", "reshuffle"))
    bench.command(commands.ReleaseRound())
    bench.command(commands.Inspect(device="shoe-1", result="in-order"), "tech")
    assert ("shoe-jam-beside-the-deal", "shoe-1") not in bench.holds()


@pytest.mark.rule("shoe-jam-beside-the-deal")
@pytest.mark.parametrize("reports", [(), ("decisions-locked",)])
def test_671a_13_f_a_shoe_that_nobody_deals_from_voids_no_round_dealt_from_the_hand(
    poker_of: Make, reports: tuple[str, ...]
) -> None:
    bench = dealt_from_the_hand(poker_of("671a"))
    for word in reports:
        bench.report(word)
    bench.inject("shoe-1", "jam", where="mouth")
    assert bench.only_ruling("shoe-jam-beside-the-deal").effect == "no-new-round"
    assert bench.state.round is not None
    assert (bench.state.round.void, bench.holds()) == ("", {("shoe-jam-beside-the-deal", "shoe-1")})


def test_671a_13_f_a_jam_reported_beside_a_deal_by_hand_joins_what_the_shoe_shows(poker_of: Make) -> None:
    bench = dealt_from_the_hand(poker_of("671a"))
    bench.inject("shoe-1", "jam", where="mouth")
    bench.report("shoe-jam")
    assert rows(bench) == ["shoe-jam-beside-the-deal"]
    assert [one.times for one in bench.state.incidents.values()] == [2]


@pytest.mark.rule("shoe-jam-beside-the-deal")
@pytest.mark.parametrize("chapter", ["663a", "671a"])
def test_a_jam_reported_beside_a_void_deal_from_the_hand_is_an_automated_shoes(
    poker_of: Make, chapter: str
) -> None:
    told: list[set[str]] = []
    for shoe in ("automated-shoe", "manual-shoe"):
        bench = dealt_from_the_hand(poker_of(chapter, shoe))
        bench.report("wrong-number")
        bench.report("shoe-jam")
        told.append(set(rows(bench)) - {"wrong-number-after-deal"})
    assert told == [{"shoe-jam-beside-the-deal", "report-contradicts-shoe"}, {"report-contradicts-shoe"}]


@CHAPTERS
@pytest.mark.rule("dealt-without-permit", "dealt-before-bets-closed")
def test_10_a_2_a_shoe_that_deals_by_itself_is_told(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.plays(1, 2)
    bench.inject("shoe-1", "stack", size=5)
    assert rows(bench) == ["dealt-before-bets-closed", "dealt-without-permit"]
    ruling = bench.rulings()[0]
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.10(a)(2)",), ("call-floor",))


@pytest.mark.parametrize("chapter", ["687a", pytest.param("663a", marks=pytest.mark.long)])
@pytest.mark.rule("cards-after-the-deal")
def test_a_stack_after_the_dealers_is_no_hand(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    bench.deal(3)
    bench.inject("shoe-1", "stack", size=5)
    assert bench.only_ruling("cards-after-the-deal").directives == (
        "stop-by-hand",
        "count-left",
        "call-floor",
    )


@CHAPTERS
@pytest.mark.rule("card-sticks")
def test_a_card_that_sticks_in_a_manual_shoe_voids_no_round(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe")
    bench.ready(1, 2)
    bench.draw(3)
    bench.fault("shoe-1", "jam=4")
    with pytest.raises(CardSticks):
        bench.drawn_from.draw(bench.now)
    bench.run(0.5)
    ruling = bench.only_ruling("card-sticks")
    assert (ruling.basis, ruling.directives) == ("own", ("take-stuck-card",))
    bench.felt += bench.drawn_from.clear_jam(bench.now)
    bench.run(0.5)
    assert (bench.state.round.notices, bench.state.round.void) == ((), "")


@CHAPTERS
@pytest.mark.rule("shoe-emptied-too-early")
def test_a_manual_shoe_that_saw_too_few_cards_has_the_hands_counted(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe")
    bench.ready(1, 2)
    bench.draw(14)
    bench.take_stub()
    assert bench.only_ruling("shoe-emptied-too-early").directives == ("check-hands", "call-floor")
    assert bench.state.round.void == ""


@CHAPTERS
@pytest.mark.rule("manual-shoe-unusable")
def test_a_manual_shoe_that_tells_no_more_is_covered_by_no_text(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe")
    bench.fault("shoe-1", "unusable=sensor")
    bench.run(1.0)
    ruling = bench.only_ruling("manual-shoe-unusable")
    assert (ruling.basis, ruling.effect) == ("own", "advise")
    bench.drawn_from.repair(bench.now)
    bench.run(1.0)
    assert bench.holds() == set()


@CHAPTERS
@pytest.mark.rule("drawn-before-bets-closed", "drawn-without-permit")
def test_8_b_a_card_drawn_before_no_more_bets_is_told(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe")
    bench.plays(1, 2)
    bench.inject("shoe-1", "card", face_up=False)
    assert rows(bench) == ["drawn-before-bets-closed", "drawn-without-permit"]
    ruling = bench.rulings()[0]
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.8(b)",), ("call-floor",))
    # A card that an automated shoe gives meanwhile is another matter.
    other = poker_of(chapter)
    other.command(commands.Method(deal="manual-shoe"))
    other.inject("shoe-1", "card", face_up=False)
    assert rows(other) == ["stray-card"]


@CHAPTERS
def test_a_shoe_without_eyes_is_dealt_from_and_people_report_the_deal(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe", fitted=False)
    bench.ready(1, 2)
    assert bench.state.phase == "hand-deal"
    bench.hands_out(3)
    assert bench.state.round.cards == (16 if chapter == "687a" else 15)


@CHAPTERS
@pytest.mark.rule("device-not-understood", "signed-device-works", "device-not-in-order")
def test_a_device_that_is_not_understood_not_in_order_or_signed(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.take(device.DeviceFaulted(device="shoe-1", code="not-understood", where="frame"))
    assert bench.only_ruling("device-not-understood").directives == ("look-at-device", "call-technician")
    bench.command(commands.Inspect(device="shoe-1", result="not-in-order", note="worn"), "tech")
    bench.command(commands.Sign(device="shoe-1", sign="out-of-order"), "tech")
    bench.inject("shoe-1", "stack", size=5)
    assert {"device-not-in-order", "signed-device-works"} <= {*rows(bench)}


@CHAPTERS
@pytest.mark.rule("shoe-lost-in-deal", "device-silent")
def test_a_shoe_lost_in_the_deal_finishes_it_and_tells_afterwards(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    bench.deal(1)
    bench.unplug("shoe-1")
    bench.run(4.0)
    bench.deal(2)
    bench.run(5.0)
    assert bench.state.round.stacks == 1
    assert rows(bench) == ["device-silent", "shoe-lost-in-deal"]
    bench.plug("shoe-1")
    bench.run(10.0)
    assert (bench.state.round.stacks, bench.state.phase) == (3, "dealt")
    bench.take_stub()
    assert bench.holds() == set()


@CHAPTERS
@pytest.mark.rule("shuffler-lost-in-shuffle", "shuffler-restarted", "device-restarted")
def test_a_shuffler_lost_or_restarted_with_a_deck_inside_has_counted_nothing(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    blue = bench.take_from_shuffler()
    bench.shuffler.power_cycle(bench.now)
    bench.run(10.0)
    assert rows(bench) == ["device-silent", "device-restarted"]
    bench.load(blue)
    bench.run(2.0)
    bench.unplug("shuffler-1")
    bench.run(20.0)
    assert ("shuffler-lost-in-shuffle", "blue") in bench.holds()
    bench.plug("shuffler-1")
    bench.run(60.0)
    bench.shuffler.power_cycle(bench.now)
    bench.run(10.0)
    assert ("shuffler-restarted", "blue") in bench.holds()


@CHAPTERS
@pytest.mark.rule("interlock-unconfirmed", "inhibit-unexplained")
def test_a_shoe_that_ignores_its_inhibit_or_has_one_that_nothing_explains(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    bench.fault("shoe-1", "jam=3")
    bench.shoe.press_deal(bench.now)
    bench.run(5.0)
    # The journal is lost: this table knows of no jam, and its shoe stands inhibited.
    bench.lose_history()
    bench.run(5.0)
    assert [(one.row, one.subject_id) for one in bench.rulings("inhibit-unexplained")] == [
        ("inhibit-unexplained", "shoe-1")
    ]
    other = poker_of(chapter)
    other.ready(1, 2)
    other.fault("shoe-1", "ignore-inhibit,lasting")
    other.fault("shoe-1", "jam=3")
    other.shoe.press_deal(other.now)
    other.run(10.0)
    assert rows(other) == ["shoe-jam", "interlock-unconfirmed"]


@CHAPTERS
@pytest.mark.rule("order-leaked", "device-refused", "order-failed", "driver-fault")
def test_a_device_that_leaks_is_another_one_fails_or_has_a_driver_that_does(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    order = bench.rows_of_orders("shoe-1")[-1]
    bench.take(device.OrderAnswered(device="shoe-1", order=order, result="failed", why="stopped"))
    bench.take(device.DeviceFaulted(device="shuffler-1", code="driver", where="ValueError"))
    assert rows(bench) == ["order-failed", "driver-fault"]
    blue = bench.take_from_shuffler()
    bench.fault("shuffler-1", "leak-order")
    bench.load(blue)
    bench.run(40.0)
    assert rows(bench)[2] == "order-leaked"
    bench.expect_serial("shoe-1", "so-9999")
    bench.run(5.0)
    assert "device-refused" in rows(bench)
