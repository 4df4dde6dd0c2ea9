"""What a host hears of a shoe that a hand draws from, held against what really happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, LeaksOrder, Restarted
from felt_simulators.cards import count, cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.faults import Fault, UnknownFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost

LOCKED = ManualShoeBuild()
OPEN = ManualShoeBuild(locks=False)
DOWN: dict[str, object] = {"face_up": False}


def batch(decks: int, *, without: str = "") -> list[Card]:
    """So many decks of 52, shuffled, without the cards of some ranks."""
    cards = [
        card
        for _ in range(decks)
        for card in new_deck("a", "red", "table-1").cards
        if card.rank not in {"JK", *without}
    ]
    seeded(3).shuffle(cards)
    return cards


class Table:
    """A shoe with a batch in it, the host that listens to it, and a dealer's hand."""

    def __init__(
        self, listening: Callable[..., TrialHost], build: ManualShoeBuild, cards: list[Card] | None = None
    ) -> None:
        self.shoe = ManualShoe(build, seeded(7), 0.0)
        self.host = listening(self.shoe, "shoe")
        self.cards = batch(1) if cards is None else cards
        self.shoe.load(self.cards, self.host.now)
        self.host.settle()

    def permit(self, number: int = 1, **fields: object) -> None:
        """Permit a round."""
        self.host.order("permit", round=number, **fields)

    def draw(self, how_many: int = 1) -> list[Card]:
        """Draw cards one by one."""
        drawn: list[Card] = []
        for _ in range(how_many):
            drawn.append(self.shoe.draw(self.host.now))
            self.host.settle()
        return drawn

    def fault(self, text: str) -> None:
        """Put a fault in."""
        self.shoe.set_fault(Fault.parse(text), self.host.now)
        self.host.settle()

    def rest(self) -> list[Card]:
        """Take the undealt cards out."""
        cards = self.shoe.remove_rest(self.host.now)
        self.host.settle()
        return cards

    @property
    def words(self) -> list[str]:
        """What was heard."""
        return [name for name, _ in self.host.heard]

    @property
    def told(self) -> list[int]:
        """How often each card that was drawn was told."""
        draws: list[dict[str, Any]] = self.shoe.truth["draws"]
        return [draw["told"] for draw in draws]


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(build: ManualShoeBuild = LOCKED, cards: list[Card] | None = None) -> Table:
        return Table(listening, build, cards)

    return make


def test_each_card_that_is_drawn_is_told_and_none_is_named(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    assert t.draw(5) == t.cards[:5]
    assert t.host.named("card") == [DOWN] * 5
    assert t.rest() == t.cards[5:]
    assert t.host.named("removed") == [{"count": 47}]
    assert [draw["round"] for draw in t.shoe.truth["draws"]] == [1] * 5


def test_665a_3_a_eight_decks_and_a_cover_card_fit_in(table: Callable[..., Table]) -> None:
    cards = batch(8, without="T")
    cards.insert(3, cover_card())
    t = table(ManualShoeBuild(counts_loading=True), cards)
    assert t.host.named("loaded") == [{"count": 384}]
    t.permit()
    assert [card.code for card in t.draw(4)][3] == "cover"
    assert t.words == ["loaded", "card", "card", "card", "cover_card"]
    assert count(t.rest()) == 381
    assert t.host.named("removed") == [{"count": 381}]


def test_a_shoe_that_does_not_count_says_no_number(table: Callable[..., Table]) -> None:
    t = table(ManualShoeBuild(counts=False))
    t.rest()
    assert t.host.heard == [("loaded", {}), ("removed", {})]


def test_the_last_card_is_told_and_then_that_it_is_empty(table: Callable[..., Table]) -> None:
    t = table(cards=batch(1)[:2])
    t.permit()
    t.draw(2)
    assert t.words == ["loaded", "card", "card", "empty"]
    with pytest.raises(Refused, match="it is empty"):
        t.shoe.draw(t.host.now)
    with pytest.raises(Refused, match="there are no cards in it"):
        t.shoe.remove_rest(t.host.now)


# The lock, the lamp, the permit.


def test_a_lock_keeps_cards_in_without_a_permit_and_under_an_inhibit(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="it is inhibited: power-up"):
        t.shoe.draw(t.host.now)
    t.permit()
    t.draw()
    t.host.inhibit("blackjack", "now")
    with pytest.raises(Refused, match="it is inhibited: blackjack"):
        t.shoe.draw(t.host.now)
    t.host.session.release()
    t.permit(2)
    t.draw()
    assert t.told == [1, 1]


def test_a_shoe_that_cannot_be_locked_lights_its_lamp_and_tells_what_is_drawn_all_the_same(
    table: Callable[..., Table],
) -> None:
    t = table(OPEN)
    assert t.shoe.lamp
    t.draw()
    t.permit()
    assert not t.shoe.lamp
    t.host.inhibit("wrong-count", "now")
    assert t.shoe.lamp
    t.draw()
    assert t.host.named("card") == [DOWN, DOWN]
    assert [draw["round"] for draw in t.shoe.truth["draws"]] == [None, None]


def test_a_round_has_no_end_that_the_shoe_knows_so_the_next_permit_takes_the_place_of_the_last(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit(1)
    t.draw(3)
    t.permit(2)
    t.draw(2)
    assert [draw["round"] for draw in t.shoe.truth["draws"]] == [1, 1, 1, 2, 2]
    assert [item.ok for item in t.host.items if isinstance(item, Answered)] == [True, True]


def test_672a_12_f_a_round_goes_on_with_the_reshuffled_cards_under_the_same_permit(
    table: Callable[..., Table],
) -> None:
    t = table(cards=batch(1)[:3])
    t.permit(1)
    drawn = t.draw(2)
    t.shoe.load([*t.rest(), *drawn], t.host.now)
    t.draw(2)
    assert [draw["round"] for draw in t.shoe.truth["draws"]] == [1, 1, 1, 1]


def test_a_permit_that_came_before_the_cards_is_good_for_them(table: Callable[..., Table]) -> None:
    t = table()
    t.permit(1)
    t.shoe.load(t.rest(), t.host.now)
    t.draw()
    assert t.words == ["loaded", "removed", "loaded", "card"]


def test_a_lapsed_lease_is_a_lamp_and_no_stop(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.draw()
    t.host.session.renew = False
    t.host.run(10.0)
    assert t.shoe.lamp
    t.draw()
    t.host.session.renew = True
    t.host.run(1.0)
    assert not t.shoe.lamp
    assert t.told == [1, 1]


def test_a_permit_for_stacks_is_not_for_this_shoe(table: Callable[..., Table]) -> None:
    t = table()
    t.permit(1, stacks=7, size=7)
    assert [(item.ok, item.why) for item in t.host.items if isinstance(item, Answered)] == [
        (False, "no-stacks")
    ]


def test_with_its_memory_full_it_begins_no_round(table: Callable[..., Table]) -> None:
    t = table()
    t.permit(1)
    t.draw()
    t.host.station.set_fault(Fault.parse("line-unread,lasting"), t.host.now)
    for _ in range(50):
        t.shoe.draw(t.host.now)
    t.host.station.lift_fault("line-unread", t.host.now)
    t.permit(2)
    assert t.shoe.truth["draws"][-1]["round"] == 1


# Cards that everybody sees.


def test_a_card_that_lies_face_up_is_named(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("face-up=2")
    one, two, three = t.draw(3)
    assert t.host.named("card") == [
        {"face_up": True, "rank": one.rank, "suit": one.suit, "back": "red"},
        {"face_up": True, "rank": two.rank, "suit": two.suit, "back": "red"},
        DOWN,
    ]
    assert not three.face_up


def shown(card: Card) -> Mapping[str, object]:
    """How a card is told that goes face up."""
    return {"face_up": False, "shown": True, "rank": card.rank, "suit": card.suit, "back": "red"}


def test_665a_7_a_shoe_set_to_the_game_names_all_cards_but_the_burnt_one_and_the_hole_card(
    table: Callable[..., Table],
) -> None:
    t = table(ManualShoeBuild(set_to=SETTINGS["665a"]))
    t.permit()
    t.shoe.key_in(2, t.host.now, burns=1)
    burnt, up, one, two, third, fourth, hole, more = t.draw(8)
    assert t.host.named("card") == [
        DOWN,
        shown(up),
        shown(one),
        shown(two),
        shown(third),
        shown(fourth),
        DOWN,
        shown(more),
    ]
    assert burnt is t.cards[0]
    assert hole is t.cards[6]


def test_a_cover_card_and_a_face_up_card_take_no_place_in_the_deal(table: Callable[..., Table]) -> None:
    cards = batch(1)
    cards[2].face_up = True
    cards.insert(1, cover_card())
    t = table(ManualShoeBuild(set_to=SETTINGS["672a"]), cards)
    t.permit()
    t.shoe.key_in(1, t.host.now)
    first, _, second, _, third, hole = t.draw(6)
    assert [fields.get("shown", False) for fields in t.host.named("card")] == [True, True, False, True, False]
    assert [draw["shown"] for draw in t.shoe.truth["draws"]] == [True, False, True, False, True, False]
    assert not hole.face_up
    assert {first, second, third} == {cards[0], cards[2], cards[4]}


def test_what_was_keyed_in_for_one_round_counts_for_no_other(table: Callable[..., Table]) -> None:
    t = table(ManualShoeBuild(set_to=SETTINGS["686a"]))
    t.permit(1)
    t.draw()
    t.shoe.key_in(2, t.host.now)
    t.permit(2)
    t.draw()
    t.permit(3)
    t.draw()
    assert [draw["shown"] for draw in t.shoe.truth["draws"]] == [False, True, False]


def test_a_shoe_without_a_game_has_no_keys(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="it has no such keys"):
        t.shoe.key_in(2, t.host.now)


@pytest.mark.parametrize(
    ("chapter", "hands", "up"),
    [
        ("659a", 6, "................................................."),
        ("663a", 2, "................"),
        ("665a", 2, "UUUUU.UU"),
        ("671a", 2, "..............U..."),
        ("672a", 2, "UUUUU.UU"),
        ("673a", 1, "UUU.UU"),
        ("686a", 3, "UUUUUUUUU"),
        ("687a", 2, "................"),
    ],
)
def test_which_cards_of_a_deal_go_face_up(
    table: Callable[..., Table], chapter: str, hands: int, up: str
) -> None:
    t = table(ManualShoeBuild(set_to=SETTINGS[chapter]))
    t.permit()
    t.shoe.key_in(hands, t.host.now)
    for _ in up:
        t.shoe.draw(t.host.now)
    assert "".join("U" if draw["shown"] else "." for draw in t.shoe.truth["draws"]) == up


# What goes wrong.


def test_a_card_that_jams_is_taken_out_and_the_next_can_be_drawn(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("jam=3")
    t.draw(2)
    with pytest.raises(CardSticks, match="the card sticks"):
        t.shoe.draw(t.host.now)
    with pytest.raises(Refused, match="it is jammed"):
        t.shoe.draw(t.host.now)
    assert t.shoe.clear_jam(t.host.now) == [t.cards[2]]
    assert t.draw() == [t.cards[3]]
    assert t.words == ["loaded", "card", "card", "jam", "cleared", "card"]
    assert t.host.named("cleared") == [{"where": "mouth"}]


def test_a_jam_fires_three_times_and_twice_more_while_it_is_cleared(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("double-jam=1")
    with pytest.raises(CardSticks):
        t.shoe.draw(t.host.now)
    t.host.run(0.1)
    t.shoe.clear_jam(t.host.now)
    t.host.settle()
    assert t.words == ["loaded", *["jam"] * 5, "cleared"]
    assert t.shoe.truth["stoppages"][0]["told"] == 5


def test_a_shoe_that_stops_says_so_and_takes_no_permit(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("stop=1")
    with pytest.raises(CardSticks):
        t.shoe.draw(t.host.now)
    t.host.settle()
    assert t.words == ["loaded", "stopped"]
    t.permit(2)
    assert [item.why for item in t.host.items if isinstance(item, Answered)] == [None, "stopped"]


def test_a_sensor_misses_a_card_and_tells_another_twice(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("missed-card")
    t.draw()
    t.fault("double-card")
    t.draw(2)
    assert t.told == [0, 2, 1]
    assert t.host.named("card") == [DOWN] * 3
    assert len(t.rest()) == 49


def test_another_card_slides_out_with_the_one_that_is_told(table: Callable[..., Table]) -> None:
    t = table(cards=batch(1)[:4])
    t.permit()
    t.fault("two-cards")
    assert t.draw() == [t.cards[0]]
    assert t.shoe.places()["mouth"] == [t.cards[1]]
    assert t.draw() == [t.cards[1]]
    assert t.told == [1, 0]
    t.fault("two-cards")
    t.draw()
    assert t.words == ["loaded", "card", "card", "empty"]
    assert t.draw() == [t.cards[3]]
    assert t.shoe.state.value == "empty"


def test_what_slid_out_is_taken_with_the_rest(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("two-cards")
    t.draw()
    assert t.rest() == t.cards[1:]


def test_a_sensor_that_sticks_tells_no_card_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("stuck-sensor")
    t.draw(3)
    t.host.run(60.0)
    assert t.words == ["loaded"]
    t.shoe.repair(t.host.now)
    t.draw()
    assert t.told == [0, 0, 0, 1]
    with pytest.raises(Refused, match="nothing is broken"):
        t.shoe.repair(t.host.now)


def test_a_shoe_that_finds_its_sensor_stuck_says_so_and_closes(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("stuck-sensor=4")
    t.draw()
    t.host.run(4.0)
    assert t.host.named("fault") == [{"code": "sensor", "where": "mouth"}]
    with pytest.raises(Refused, match="its shutter is closed: it is broken"):
        t.shoe.draw(t.host.now)
    t.shoe.repair(t.host.now)
    t.draw()
    assert t.words == ["loaded", "fault", "cleared", "card"]


def test_a_broken_shoe_without_a_lock_still_gives_cards_and_sees_none(table: Callable[..., Table]) -> None:
    t = table(OPEN)
    t.fault("unusable=lamp")
    t.draw()
    t.shoe.power_cycle(t.host.now)
    t.draw()
    t.host.run(10.0)
    assert t.words == ["loaded", "fault", "fault"]
    assert t.told == [0, 0]


def test_a_shoe_that_starts_again_says_that_it_is_empty_where_no_card_is_in_it(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.shoe.power_cycle(t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded"]
    t.rest()
    t.shoe.power_cycle(t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded", "removed", "empty"]


def test_a_card_jams_in_a_broken_shoe(table: Callable[..., Table]) -> None:
    t = table(OPEN)
    t.fault("jam=1")
    t.fault("unusable")
    with pytest.raises(CardSticks):
        t.shoe.draw(t.host.now)
    with pytest.raises(Refused, match="a card sticks"):
        t.shoe.draw(t.host.now)
    assert t.shoe.clear_jam(t.host.now) == [t.cards[0]]
    assert t.shoe.state.value == "broken"
    t.rest()
    with pytest.raises(Refused, match="there are no cards in it"):
        t.shoe.draw(t.host.now)


def test_a_reboot_is_a_new_boot_that_knows_of_no_round(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.draw()
    t.fault("jam=2")
    with pytest.raises(CardSticks):
        t.shoe.draw(t.host.now)
    t.host.settle()
    t.fault("reboot")
    t.host.run(10.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.words == ["loaded", "card", "jam", "jam"]
    t.shoe.clear_jam(t.host.now)
    with pytest.raises(Refused, match="it is inhibited: power-up"):
        t.shoe.draw(t.host.now)


def test_a_shoe_that_breaks_as_it_starts_says_so_once_it_is_up(table: Callable[..., Table]) -> None:
    t = table()
    t.shoe.power_cycle(t.host.now)
    t.fault("unusable")
    t.host.run(10.0)
    assert t.words == ["loaded", "fault"]


def test_a_silent_shoe_gives_cards_and_tells_of_them_when_it_speaks_again(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit()
    t.fault("silent")
    t.draw(2)
    assert t.words == ["loaded"]
    t.shoe.lift_fault("silent", t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded", "card", "card"]


def test_cards_stay_inside_as_the_others_are_taken_out(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("cards-left=2")
    assert t.rest() == t.cards[:50]
    assert t.host.named("removed") == [{"count": 50}]
    assert t.shoe.look_inside(t.host.now) == t.cards[50:]


def test_a_count_is_wrong(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("miscount=-1")
    t.rest()
    assert t.host.named("removed") == [{"count": 51}]


def test_a_shoe_that_offers_the_order_of_its_cards_is_refused(table: Callable[..., Table]) -> None:
    t = table()
    t.rest()
    t.fault("leak-order")
    t.shoe.load(t.cards, t.host.now)
    t.host.settle()
    assert any(isinstance(item, LeaksOrder) for item in t.host.items)
    assert t.words == ["loaded", "removed"]


def test_a_fault_of_another_machine_is_none_of_this_one(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(UnknownFault, match="a manual-shoe cannot have the fault stack-size"):
        t.fault("stack-size=5")


# Two compartments.


def test_672a_12_a_a_face_up_card_lies_apart_in_a_double_shoe_and_is_not_counted_in_it(
    table: Callable[..., Table],
) -> None:
    t = table(ManualShoeBuild(double=True))
    t.permit()
    t.fault("face-up")
    found = t.draw()
    t.shoe.lay_aside(found, t.host.now)
    t.host.settle()
    assert t.words == ["loaded", "card"]
    assert len(t.rest()) == 51
    assert t.shoe.take_aside(t.host.now) == found


def test_672a_3_b_the_sides_of_a_double_shoe_change(table: Callable[..., Table]) -> None:
    t = table(ManualShoeBuild(double=True, counts_loading=True))
    other = list(new_deck("b", "blue", "table-1").cards[:40])
    t.shoe.lay_aside(other, t.host.now)
    t.permit()
    t.fault("two-cards")
    t.draw()
    t.shoe.change_sides(t.host.now)
    t.host.settle()
    assert t.host.heard == [
        ("loaded", {"count": 52}),
        ("card", DOWN),
        ("removed", {"count": 51}),
        ("loaded", {"count": 40}),
    ]
    assert t.draw() == other[:1]
    assert len(t.shoe.take_aside(t.host.now)) == 51


def test_an_empty_side_is_told_as_such_when_the_sides_change(table: Callable[..., Table]) -> None:
    t = table(ManualShoeBuild(double=True))
    t.shoe.change_sides(t.host.now)
    t.shoe.change_sides(t.host.now)
    t.host.settle()
    assert t.words == ["loaded", "removed", "loaded"]


@pytest.mark.parametrize("hand", ["take_aside", "change_sides"])
def test_a_shoe_with_one_compartment_has_no_other(table: Callable[..., Table], hand: str) -> None:
    t = table()
    with pytest.raises(Refused, match="it has one compartment"):
        getattr(t.shoe, hand)(t.host.now)
    with pytest.raises(Refused, match="it has one compartment"):
        t.shoe.lay_aside([], t.host.now)


# Its states.


@pytest.mark.parametrize(
    ("hand", "state", "why"),
    [
        ("load", "ready", "it is ready, and must be empty"),
        ("clear_jam", "ready", "it is ready, and must be broken or jammed or stopped"),
        ("clear_jam", "broken", "nothing is stuck"),
        ("repair", "starting", "it is starting, and must be broken or empty or ready"),
        ("draw", "starting", "it is starting"),
        ("change_sides", "broken", "it is broken, and must be empty or ready"),
    ],
)
def test_a_hand_that_cannot_act_now_is_refused(
    table: Callable[..., Table], hand: str, state: str, why: str
) -> None:
    t = table()
    if state == "broken":
        t.fault("unusable")
    if state == "starting":
        t.shoe.power_cycle(t.host.now)
    act: Any = getattr(t.shoe, hand)
    with pytest.raises(Refused) as refusal:
        act(*([t.cards] if hand == "load" else []), t.host.now)
    assert refusal.value.why == why
    assert t.shoe.state.value == state


def test_nothing_can_be_loaded_out_of_an_empty_hand(table: Callable[..., Table]) -> None:
    t = table()
    t.rest()
    with pytest.raises(Refused, match="there are no cards in the hand"):
        t.shoe.load([], t.host.now)


def test_a_bad_line_loses_doubles_and_invents_no_card(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.host.station.set_fault(Fault.parse("line-drop=2,lasting,chance=20"), t.host.now)
    t.draw(10)
    t.host.run_until(lambda: t.words.count("card") == 10)
    t.host.run(5.0)
    assert t.words == ["loaded", *["card"] * 10]
