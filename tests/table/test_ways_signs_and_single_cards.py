"""Other ways to shuffle and deal, signs, inspections, single cards, second people, and what is elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import admit, picture
from felt_protocols import commands
from felt_protocols.events import card, deck, device, incident, person, system
from felt_protocols.events.person import Person

from .felt import DEALER, FLOOR, PACK, Felt, refused, setup_of

if TYPE_CHECKING:
    from felt_protocols.events.person import Role

BY_DEVICE = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"}


def method(**ways: str) -> commands.Method:
    """A command for other ways."""
    return commands.Method.model_validate(ways)


# ---- methods -----------------------------------------------------------------------------------------------


def test_a_way_is_changed_and_the_others_stay(opened: Felt) -> None:
    assert admit(PACK, opened.state, method(start="generator"), FLOOR) == person.MethodChosen(
        by=FLOOR, shuffle="device", deal="automated-shoe", start="generator"
    )
    opened.command(method(shuffle="hand", deal="manual-shoe"))
    assert opened.state.method == {"shuffle": "hand", "deal": "manual-shoe", "start": "shaker"}


def test_the_way_of_now_is_no_other_way(opened: Felt) -> None:
    said = "that is the way already: shuffle device, deal automated-shoe, start shaker"
    assert refused(opened, method()) == said
    assert refused(opened, method(shuffle="device", start="shaker")) == said


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ({"shuffle": "hands"}, "shuffle: no way is called hands; did you mean hand?"),
        ({"start": "xyzzy"}, "start: no way is called xyzzy; there are: shaker, generator, button"),
    ],
)
def test_a_way_that_the_chapter_does_not_have_is_refused(
    opened: Felt, ways: dict[str, str], said: str
) -> None:
    assert refused(opened, method(**ways)) == said


def test_cards_are_dealt_from_the_hand_only_where_a_device_shuffles(opened: Felt) -> None:
    said = "cards are dealt from the hand only where a device shuffles them (659a.9(a)(1))"
    assert refused(opened, method(shuffle="hand", deal="hand")) == said
    opened.command(method(deal="hand"))
    assert refused(opened, method(shuffle="hand")) == said


def test_the_button_goes_round_only_where_devices_shuffle_and_deal(opened: Felt) -> None:
    said = "the button is for tables where a device shuffles and an automated shoe deals (659a.5(g)(3))"
    assert refused(opened, method(deal="manual-shoe", start="button")) == said
    opened.command(method(start="button"))
    assert refused(opened, method(shuffle="hand")) == said
    assert refused(opened, method(deal="manual-shoe")) == said


def test_the_way_is_changed_before_a_round_is_dealt_or_after_it(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    assert refused(opened, method(deal="hand")) == "round 1 is being dealt; change the way after it"
    opened.deal(6)
    assert opened.round.void == "wrong-number-of-cards"
    opened.command(method(start="generator"))
    assert opened.state.method["start"] == "generator"


def test_a_deal_by_hand_of_which_something_was_told_is_finished_before_the_way_is_changed(
    opened: Felt,
) -> None:
    opened.command(method(deal="hand"))
    opened.ready_to_deal()
    assert opened.state.phase == "hand-deal"
    opened.twin().command(method(deal="automated-shoe"))
    opened.report("card-face-up")
    assert refused(opened, method(deal="automated-shoe")) == (
        "round 1 is being dealt; change the way after it"
    )


def test_a_game_with_one_way_has_no_other() -> None:
    felt = Felt(PACK.model_copy(update={"methods": None}))
    assert refused(felt, method(shuffle="hand")) == "Asia Poker has one way to shuffle and deal"


def test_a_way_that_takes_a_device_is_refused_while_none_can_be_used(opened: Felt) -> None:
    opened.command(method(start="generator"))
    opened.tell(person.ServiceBegun(by=FLOOR, device="shaker-1", why="a new lid"))
    assert refused(opened, method(start="shaker")) == (
        "no shaker of this table can be used now (Three dice in the shaker (659a.5(g)(1)).)"
    )
    opened.tell(person.ServiceEnding(by=FLOOR, device="shaker-1"))
    opened.tell(device.DeviceLost(device="shaker-1", why="silent"))
    assert refused(opened, method(start="shaker")).startswith("no shaker of this table can be used now")


SIGN_FIRST = (
    "shoe-1 cannot be used: cover it or put an out-of-order sign on it, and report that with sign,"
    " before another way is used (659a.13(n))"
)


@pytest.mark.parametrize("sign", ["covered", "out-of-order"])
def test_a_shoe_that_cannot_be_used_is_covered_or_signed_before_another_way_is_used(
    opened: Felt, sign: str
) -> None:
    opened.tell(device.DeviceFaulted(device="shoe-1", code="motor"))
    assert refused(opened, method(deal="manual-shoe")) == SIGN_FIRST
    opened.tell(person.SignMoved.model_validate({"by": DEALER, "device": "shoe-1", "sign": sign}))
    opened.command(method(deal="manual-shoe"))
    assert opened.state.method["deal"] == "manual-shoe"


def test_a_device_that_is_sound_or_of_another_way_needs_no_sign(opened: Felt) -> None:
    # The shuffler is broken; it is the deal that is changed first.
    opened.tell(device.DeviceFaulted(device="shuffler-1", code="motor"))
    opened.command(method(deal="manual-shoe"))
    assert refused(opened, method(shuffle="hand")).startswith("shuffler-1 cannot be used: cover it")
    opened.tell(person.SignMoved(by=DEALER, device="shuffler-1", sign="covered"))
    opened.command(method(shuffle="hand"))
    assert opened.state.method == {"shuffle": "hand", "deal": "manual-shoe", "start": "shaker"}


def test_where_the_chapter_asks_for_no_sign_none_is_needed() -> None:
    assert PACK.methods is not None
    felt = Felt(PACK.model_copy(update={"methods": PACK.methods.model_copy(update={"sign": None})}))
    felt.open()
    felt.tell(device.DeviceFaulted(device="shoe-1", code="motor"))
    felt.command(method(deal="manual-shoe"))
    assert felt.state.method["deal"] == "manual-shoe"


def test_the_deal_goes_on_without_a_shuffler_that_is_covered_and_needed_no_more(opened: Felt) -> None:
    opened.tell(
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        person.SignMoved(by=DEALER, device="shuffler-1", sign="covered"),
    )
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    opened.command(method(shuffle="hand"))
    assert opened.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]
    assert opened.holds() == {("device-unusable", "shuffler-1")}


def test_in_a_game_with_one_way_no_device_is_done_without() -> None:
    felt = Felt(PACK.model_copy(update={"methods": None}))
    felt.open()
    felt.tell(
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        person.SignMoved(by=DEALER, device="shuffler-1", sign="covered"),
    )
    felt.ready_to_deal()
    assert felt.permits("shoe-1") == []


# ---- signs -------------------------------------------------------------------------------------------------


def test_a_sign_is_put_on_a_device_of_the_table_and_taken_away_once(opened: Felt) -> None:
    off = commands.Sign(device="shoe-1", sign="removed")
    assert refused(opened, off) == "no cover or sign was reported on shoe-1"
    assert refused(opened, commands.Sign(device="ghost-9", sign="covered")) == (
        "there is no device ghost-9; there are: shuffler-1, shoe-1, shaker-1"
    )
    opened.command(commands.Sign(device="shoe-1", sign="covered"), "dealer", "Dan")
    assert opened.state.devices["shoe-1"].sign == "covered"
    assert picture(PACK, opened.state)["device/shoe-1"]["sign"] == "covered"
    opened.command(off, "tech", "Tom")
    assert opened.state.devices["shoe-1"].sign == ""
    assert refused(opened, off) == "no cover or sign was reported on shoe-1"


# ---- inspections -------------------------------------------------------------------------------------------


def test_a_device_or_a_deck_is_inspected_and_not_both_or_neither(opened: Felt) -> None:
    said = "say what was inspected: a device or a deck"
    assert refused(opened, commands.Inspect(result="in-order")) == said
    assert refused(opened, commands.Inspect(result="in-order", device="shoe-1", deck="red")) == said
    assert refused(opened, commands.Inspect(result="in-order", deck="green")) == (
        "there is no deck green; there are: red, blue"
    )
    deck_ = commands.Inspect(result="in-order", deck="red", note="clean")
    assert admit(PACK, opened.state, deck_, FLOOR) == person.Inspected(
        by=FLOOR, deck="red", result="in-order", note="clean"
    )


def test_an_inspection_counts_for_the_gaming_day_it_was_made_in(opened: Felt) -> None:
    look = commands.Inspect(device="shoe-1", result="in-order")
    opened.command(look)
    # Without a gaming day, none can be inspected for it.
    assert opened.state.devices["shoe-1"].inspected == ""
    opened.tell(system.GamingDayBegan(day="2030-05-01"))
    opened.command(look)
    assert opened.state.devices["shoe-1"].inspected == "2030-05-01"
    opened.command(commands.Inspect(device="shoe-1", result="not-in-order"))
    assert opened.state.devices["shoe-1"].inspected == ""
    assert opened.holds() == {("device-not-in-order", "shoe-1")}


def test_a_deck_that_is_not_in_order_is_held_until_it_is_changed(opened: Felt) -> None:
    opened.command(commands.Inspect(deck="blue", result="not-in-order"))
    assert opened.holds() == {("deck-not-in-order", "blue")}
    opened.tell(person.DeckChanged(by=FLOOR, deck="blue"))
    assert opened.holds() == set()


# ---- single cards ------------------------------------------------------------------------------------------


def total(felt: Felt, name: str) -> int:
    """All cards of a deck, wherever they are."""
    return sum(felt.state.decks[name].places.values())


def test_a_card_is_withdrawn_from_where_one_is(felt: Felt) -> None:
    felt.change_deck("red")
    felt.load()
    bent = commands.WithdrawCard(deck="red", place="hand", why="bent")
    assert refused(felt, bent) == "no card of red is in hand; there are: 53 in shuffler"
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=1, count=53))
    felt.command(bent)
    red = felt.state.decks["red"]
    assert (red.places["hand"], red.places["withdrawn"], total(felt, "red")) == (52, 1, 53)
    assert felt.holds() == {("card-withdrawn", "red")}


@pytest.mark.parametrize(("place", "table", "discard"), [("table", 48, 4), ("discard", 49, 3)])
def test_a_card_is_withdrawn_from_the_table_or_the_rack(
    opened: Felt, place: str, table: int, discard: int
) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    opened.command(commands.WithdrawCard.model_validate({"deck": "red", "place": place, "why": "torn"}))
    places = opened.state.decks["red"].places
    assert (places["table"], places["discard"], places["withdrawn"]) == (table, discard, 1)


def test_the_deck_waits_until_every_withdrawn_card_is_replaced(felt: Felt) -> None:
    felt.change_deck("red")
    replace = commands.ReplaceCard(deck="red", card="KS")
    assert refused(felt, replace) == "no card of red was withdrawn"
    bent = commands.WithdrawCard(deck="red", place="hand", why="bent", card="KS")
    felt.command(bent)
    felt.command(bent)
    felt.command(replace)
    assert felt.holds() == {("card-withdrawn", "red")}
    felt.command(replace)
    assert felt.holds() == set()
    assert (felt.state.decks["red"].places["hand"], total(felt, "red")) == (53, 53)
    assert refused(felt, replace) == "no card of red was withdrawn"


def test_nothing_is_replaced_in_a_deck_that_is_not_at_the_table(felt: Felt) -> None:
    assert refused(felt, commands.ReplaceCard(deck="red")) == "no card of red was withdrawn"
    assert refused(felt, commands.WithdrawCard(deck="red", place="hand", why="bent")) == (
        "no card of red is in hand; there are: 53 in withdrawn"
    )


def test_a_card_of_a_deck_that_nobody_knows_moves_nowhere(felt: Felt) -> None:
    felt.tell(
        person.CardWithdrawn(by=FLOOR, deck="green", place="hand", why="bent"),
        person.CardReplaced(by=FLOOR, deck="green"),
    )
    assert felt.of(deck.CardsMoved) == []


# ---- a table opens -----------------------------------------------------------------------------------------


def test_a_table_does_not_open_before_each_deck_is_prepared(felt: Felt) -> None:
    felt.tell(*(person.DeckChanged(by=FLOOR, deck=name) for name in ("red", "blue")))
    assert felt.state.table == "opening"
    cite = "659a.4(a), 659a.4(b), 659a.4(c), 659a.4(d)"
    assert refused(felt, commands.OpenTable()) == (
        f"deck red is not prepared ({cite}); report first: deck-inspected, inspection-verified, deck-spread,"
        " player-looked, deck-washed"
    )
    felt.change_deck("red")
    felt.report("deck-inspected", deck="blue")
    assert refused(felt, commands.OpenTable()) == (
        f"deck blue is not prepared ({cite}); report first: inspection-verified, deck-spread, player-looked,"
        " deck-washed"
    )
    felt.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    felt.command(commands.OpenTable())
    assert (felt.state.table, felt.round.number) == ("open", 1)


def test_an_opening_table_closes_again(felt: Felt) -> None:
    felt.change_deck("red")
    felt.command(commands.CloseTable())
    assert felt.state.table == "closed"


def test_a_deck_that_came_unprepared_in_mid_session_is_told_when_it_is_in_the_shoe(opened: Felt) -> None:
    opened.tell(card.ShoeUnloaded(device="shoe-1"), person.DeckChanged(by=FLOOR, deck="red"))
    opened.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert "deck-not-prepared" in opened.rulings()


# ---- two people --------------------------------------------------------------------------------------------


def test_a_hold_that_takes_two_is_let_go_by_two_of_the_floor(opened: Felt) -> None:
    opened.tell(device.OrderLeaked(device="shuffler-1"))
    let_go = commands.Override(hold=1, reason="looked at it")
    bea = Person(role="floor", name="Bea")
    assert refused(opened, let_go) == (
        "hold 1 (order-leaked) takes two people to override; name the second one"
    )
    assert refused(opened, let_go, FLOOR, FLOOR) == "the second person must be another one"
    opened.tell(admit(PACK, opened.state, let_go, FLOOR, bea))
    (overridden,) = opened.of(person.HoldOverridden)
    assert (overridden.by, overridden.second) == (FLOOR, bea)
    assert opened.of(incident.HoldEnded)[-1].how == "override"
    assert opened.holds() == set()


@pytest.mark.parametrize("role", ["dealer", "tech", "finance", "floor-system"])
def test_the_second_person_is_of_a_role_that_the_command_is_for(opened: Felt, role: Role) -> None:
    opened.tell(device.OrderLeaked(device="shuffler-1"))
    second = Person(role=role, name="Eve")
    assert refused(opened, commands.Override(hold=1, reason="looked at it"), FLOOR, second) == (
        f"the second person must be floor; Eve is {role}"
    )


def test_a_hold_that_takes_one_may_be_let_go_by_two(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    let_go = commands.Override(hold=1, reason="looked at it")
    bea = Person(role="floor", name="Bea")
    assert refused(opened, let_go, FLOOR, FLOOR) == "the second person must be another one"
    assert admit(PACK, opened.state, let_go, FLOOR, bea) == person.HoldOverridden(
        by=FLOOR, hold=1, reason="looked at it", second=bea
    )


# ---- what this table does not have -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "role"),
    [
        (commands.JackpotVerify(meter="major", hit=1), "floor"),
        (commands.JackpotPaid(meter="major", hit=1, by="attendant"), "floor"),
        (commands.MeterReset(meter="major"), "tech"),
        (commands.MeterCorrect(meter="major", cents=1, reason="counted anew"), "finance"),
    ],
)
def test_a_table_without_meters_says_so(felt: Felt, command: commands.Command, role: Role) -> None:
    assert refused(felt, command, Person(role=role, name="Eve")) == (
        "table t-1 has no meter major; it has none at all"
    )


@pytest.mark.parametrize(
    "command", [commands.Replay(consumer="rating", after=0), commands.Snapshot(consumer="rating")]
)
def test_a_table_without_consumers_says_so(felt: Felt, command: commands.Command) -> None:
    assert refused(felt, command, Person(role="floor-system", name="hub")) == (
        "table t-1 has no consumer rating; none is configured"
    )


def test_what_is_set_aside_is_said_in_the_picture(opened: Felt) -> None:
    opened.tell(
        person.ServiceBegun(by=FLOOR, device="shuffler-1", why="a new belt"),
        person.SignMoved(by=FLOOR, device="shuffler-1", sign="covered"),
        person.DeviceRetired(by=FLOOR, device="shaker-1"),
        person.FloorCalled(by=DEALER),
        person.DealerCame(by=DEALER, dealer="Deb"),
    )
    shown = picture(PACK, opened.state)
    assert shown["state"]["aside"] == {"shuffler-1": "in service, sign: covered", "shaker-1": "out of use"}
    assert shown["state"]["dealer"] == "Deb"
    called = opened.rows[-2].at
    assert shown["state"]["floor_called"] == {
        "utc_us": called.utc_us,
        "trusted": True,
        "mono_ns": called.mono_ns,
        "boot": "boot-1",
    }
    assert (shown["device/shuffler-1"]["service"], shown["device/shaker-1"]["retired"]) == ("on", True)


def test_without_a_word_for_a_way_the_table_still_knows_its_ways() -> None:
    assert PACK.methods is not None
    assert [way.family for way in PACK.methods.chosen(BY_DEVICE)] == ["shuffler", "shoe", "shaker"]
    assert list(PACK.methods.chosen({"shuffle": "of-another-pack"})) == []
    felt = Felt(setup=setup_of(method={}))
    assert felt.state.method == {}
