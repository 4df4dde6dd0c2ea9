"""What a host hears of a shoe over a real line, held against what really happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, LeaksOrder, Restarted, Unconfirmed
from felt_simulators.cards import cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost


class Table:
    """A loaded shoe, the host that listens to it, and a dealer's hand."""

    def __init__(
        self, listening: Callable[..., TrialHost], *faults: str, build: ShoeBuild | None = None
    ) -> None:
        self.shoe = Shoe(build or ShoeBuild(), seeded(7), 0.0)
        self.host = listening(self.shoe, "shoe")
        self.deck = new_deck("a", "red", "table-1").stack()
        seeded(3).shuffle(self.deck)
        self.taken: list[list[Card]] = []
        for fault in faults:
            self.shoe.set_fault(Fault.parse(fault), self.host.now)
        self.shoe.load(self.deck, self.host.now)
        self.host.settle()

    def permit(self, number: int = 1) -> None:
        """Permit a round of seven stacks of seven."""
        self.host.order("permit", round=number, stacks=7, size=7)

    def deal(self, stacks: int = 7) -> None:
        """Press the button, wait, and take what comes, so many times."""
        for _ in range(stacks):
            self.shoe.press_deal(self.host.now)
            self.host.run(2.0)
            self.taken.append(self.shoe.take_stack(self.host.now))

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
    def stacks(self) -> list[dict[str, Any]]:
        """The truth of every stack."""
        stacks: list[dict[str, Any]] = self.shoe.truth["stacks"]
        return stacks

    @property
    def stoppage(self) -> dict[str, Any]:
        """The truth of the last stoppage."""
        stoppage: dict[str, Any] = self.shoe.truth["stoppages"][-1]
        return stoppage


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(*faults: str, build: ShoeBuild | None = None) -> Table:
        return Table(listening, *faults, build=build)

    return make


def test_659a_10_seven_stacks_of_seven_and_four_left(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.deal()
    assert t.words == ["loaded", *["stack"] * 7]
    assert t.host.named("stack") == [{"size": 7}] * 7
    assert t.taken == [t.deck[start : start + 7] for start in range(0, 49, 7)]
    assert [(stack["round"], stack["size"], stack["told"]) for stack in t.stacks] == [(1, 7, 7)] * 7
    assert t.rest() == t.deck[49:]
    assert t.host.named("removed") == [{"count": 4}]


def test_a_stack_takes_a_second_and_a_half(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    begun = t.host.now
    t.host.run_until(lambda: "stack" in t.words)
    assert t.host.now - begun == pytest.approx(1.5)


def test_a_shoe_that_counts_as_it_is_loaded_says_how_many(table: Callable[..., Table]) -> None:
    t = table(build=ShoeBuild(counts_loading=True))
    assert t.host.named("loaded") == [{"count": 53}]


def test_a_shoe_that_does_not_count_says_no_number(table: Callable[..., Table]) -> None:
    t = table(build=ShoeBuild(counts=False))
    assert len(t.rest()) == 53
    assert t.host.heard == [("loaded", {}), ("removed", {})]


def test_the_button_gives_nothing_without_a_permit(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="shoe: cannot press deal: it is inhibited: power-up"):
        t.shoe.press_deal(t.host.now)
    t.permit()
    t.deal()
    with pytest.raises(Refused, match="shoe: cannot press deal: it is inhibited: permit-spent"):
        t.shoe.press_deal(t.host.now)


def test_the_button_gives_nothing_while_a_stack_waits(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    with pytest.raises(Refused, match="it is dealing, and must be ready"):
        t.shoe.press_deal(t.host.now)
    t.host.run(2.0)
    with pytest.raises(Refused, match="a stack lies in its mouth"):
        t.shoe.press_deal(t.host.now)


def test_the_size_of_a_stack_is_the_permits(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("permit", round=1, stacks=2, size=5)
    t.deal(2)
    assert t.host.named("stack") == [{"size": 5}, {"size": 5}]


def test_a_permit_without_stacks_lasts_until_the_rest_is_removed(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("permit", round=1)
    t.deal(3)
    t.rest()
    t.host.run(1.0)
    assert t.host.session.shown is not None
    assert t.host.session.shown.why == "permit-spent"


@pytest.mark.parametrize("card", [1, 12, 14, 49])
def test_659a_13_m_a_jam_at_a_card_leaves_the_stack_unfinished(
    table: Callable[..., Table], card: int
) -> None:
    t = table(f"jam={card}")
    t.permit()
    whole = (card - 1) // 7
    t.deal(whole)
    t.shoe.press_deal(t.host.now)
    t.host.run(2.0)
    assert t.words == ["loaded", *["stack"] * whole, "jam"]
    assert t.host.named("jam") == [{"where": "exit"}]
    assert (t.stoppage["card"], t.stoppage["told"]) == (card, 1)
    assert t.stacks[-1]["told"] is None
    stuck = t.shoe.clear_jam(t.host.now)
    t.host.settle()
    assert stuck == t.deck[7 * whole : card]
    assert t.host.named("cleared") == [{"where": "exit"}]
    assert t.rest() == t.deck[card:]


def test_case_27_a_double_fired_jam_is_told_three_times_and_twice_more(table: Callable[..., Table]) -> None:
    t = table("double-jam=10")
    t.permit()
    t.deal(1)
    t.shoe.press_deal(t.host.now)
    t.host.run(2.0)
    assert t.words.count("jam") == 3
    t.shoe.clear_jam(t.host.now)
    t.host.run(2.0)
    assert t.words == ["loaded", "stack", *["jam"] * 5, "cleared"]
    assert t.stoppage["told"] == 5


def test_659a_13_m_it_stops_dealing(table: Callable[..., Table]) -> None:
    t = table("stop=10")
    t.permit()
    t.deal(1)
    t.shoe.press_deal(t.host.now)
    t.host.run(2.0)
    assert t.words == ["loaded", "stack", "stopped"]
    assert (t.stoppage["why"], t.stoppage["card"]) == ("stopped", 10)
    assert t.shoe.clear_jam(t.host.now) == t.deck[7:9]


def test_a_jam_put_in_while_it_deals_strikes_at_the_next_card(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    t.host.run(0.7)
    t.shoe.set_fault(Fault("jam", 1), t.host.now)
    t.host.run(1.0)
    assert t.stoppage["card"] == 4


@pytest.mark.parametrize("size", [6, 8])
def test_659a_13_h_a_stack_of_a_wrong_size(table: Callable[..., Table], size: int) -> None:
    t = table(f"stack-size={size}")
    t.permit()
    t.deal()
    assert t.host.named("stack") == [{"size": size}, *[{"size": 7}] * 6]
    assert [len(stack) for stack in t.taken] == [size, 7, 7, 7, 7, 7, 7]
    assert len(t.rest()) == 53 - 42 - size
    assert t.host.named("removed") == [{"count": 11 - size}]


def test_a_stack_of_six_that_the_sensor_takes_for_seven(table: Callable[..., Table]) -> None:
    t = table("stack-size=6", "miscount=1")
    t.permit()
    t.deal()
    assert t.host.named("stack") == [{"size": 7}] * 7
    assert (t.stacks[0]["size"], t.stacks[0]["told"]) == (6, 7)
    t.rest()
    assert t.host.named("removed") == [{"count": 5}]


@pytest.mark.parametrize("turned", [1, 2])
def test_659a_13_f_cards_face_up_come_out_and_others_take_their_places(
    table: Callable[..., Table], turned: int
) -> None:
    t = table(f"face-up={turned}")
    t.permit()
    t.deal()
    assert t.words == ["loaded", *["card"] * turned, *["stack"] * 7]
    seen = [card for card in t.taken[0] if card.face_up]
    assert [(fields["rank"], fields["suit"]) for fields in t.host.named("card")] == [
        (card.rank, card.suit) for card in seen
    ]
    assert all(fields["face_up"] is True and fields["back"] == "red" for fields in t.host.named("card"))
    assert (t.stacks[0]["size"], t.stacks[0]["face_up"]) == (7, turned)
    assert t.host.named("stack")[0] == {"size": 7}
    assert len(t.rest()) == 4 - turned


def test_a_card_that_the_crew_loaded_face_up_is_seen_without_any_fault(table: Callable[..., Table]) -> None:
    t = table()
    t.deck[9].face_up = True
    t.permit()
    t.deal(2)
    assert t.host.named("card") == [
        {"face_up": True, "rank": t.deck[9].rank, "suit": t.deck[9].suit, "back": "red"}
    ]
    assert t.stacks[1]["face_up"] == 1


def test_a_face_up_joker_has_no_suit(table: Callable[..., Table]) -> None:
    t = table()
    joker = next(card for card in t.deck if card.rank == "JK")
    joker.face_up = True
    t.permit()
    t.deal()
    assert t.host.named("card") == [{"face_up": True, "rank": "JK", "back": "red"}]


def test_659a_13_g_a_card_out_of_turn_is_counted_into_the_next_stack(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.deal(1)
    t.shoe.set_fault(Fault("stray-card"), t.host.now)
    t.host.settle()
    assert t.host.named("card") == [{"face_up": False}]
    t.deal(1)
    assert t.taken[1] == t.deck[7:14]
    assert t.host.named("stack") == [{"size": 7}] * 2
    assert (t.stacks[1]["size"], t.stacks[1]["single"]) == (7, 1)


def test_a_card_that_comes_out_of_turn_waits_for_the_stack_that_is_being_made(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    t.host.run(0.7)
    t.shoe.set_fault(Fault("stray-card"), t.host.now)
    t.host.run(2.0)
    assert t.words == ["loaded", "stack", "card"]
    assert t.shoe.take_stack(t.host.now) == t.deck[:8]
    t.deal(1)
    assert t.taken == [t.deck[8:14]]
    assert t.host.named("stack") == [{"size": 7}] * 2


def test_a_shoe_that_is_emptied_forgets_a_card_that_came_out_of_turn(table: Callable[..., Table]) -> None:
    t = table("stray-card")
    assert t.words == ["loaded", "card"]
    t.shoe.take_stack(t.host.now)
    t.rest()
    t.shoe.load(t.deck, t.host.now)
    t.permit()
    t.deal(1)
    assert t.taken == [t.deck[:7]]
    assert t.stacks[0]["single"] == 0


def test_659a_13_m_a_button_that_is_dead_works_again_once_the_cards_are_taken_out(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit()
    t.deal(1)
    t.shoe.set_fault(Fault("dead-button"), t.host.now)
    for _ in range(2):
        with pytest.raises(Refused, match="its button gives nothing"):
            t.shoe.press_deal(t.host.now)
    t.rest()
    t.shoe.load(t.deck, t.host.now)
    t.permit()
    t.deal(1)
    assert t.taken == [t.deck[:7], t.deck[:7]]


def test_659a_13_g_the_dealer_draws_a_card_in_error(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.draw_card(t.host.now)
    assert t.shoe.take_stack(t.host.now) == t.deck[:1]
    t.deal()
    assert [len(stack) for stack in t.taken] == [6, 7, 7, 7, 7, 7, 7]
    assert len(t.rest()) == 4


def test_a_cover_card_is_told_and_is_in_no_stack(table: Callable[..., Table]) -> None:
    t = table()
    t.rest()
    t.shoe.load([*t.deck[:3], cover_card(), *t.deck[3:]], t.host.now)
    t.permit()
    t.deal()
    assert t.words == ["loaded", "removed", "loaded", "cover_card", *["stack"] * 7]
    assert len(t.rest()) == 4


def test_a_shoe_that_runs_out_gives_a_short_stack_and_says_that_it_is_empty(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.rest()
    t.shoe.load(t.deck[:10], t.host.now)
    t.permit()
    t.deal(2)
    assert t.words == ["loaded", "removed", "loaded", "stack", "stack", "empty"]
    assert t.host.named("stack") == [{"size": 7}, {"size": 3}]
    assert t.rest() == []
    assert t.host.named("removed")[-1] == {"count": 0}


def test_an_inhibit_now_stops_it_within_the_stack(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    t.host.run(0.7)
    t.host.inhibit("blackjack", "now")
    assert t.words == ["loaded", "stopped"]
    assert t.shoe.clear_jam(t.host.now) == t.deck[:3]


def test_an_inhibit_after_the_round_lets_the_round_end(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.deal(1)
    t.host.inhibit("count", "after-round")
    t.deal(6)
    assert t.words == ["loaded", *["stack"] * 7]
    with pytest.raises(Refused, match="it is inhibited: count"):
        t.shoe.press_deal(t.host.now)


def test_a_lapsed_lease_lets_the_round_end(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.deal(1)
    t.host.session.renew = False
    t.host.run(10.0)
    t.deal(6)
    assert t.words == ["loaded", *["stack"] * 7]
    with pytest.raises(Refused, match="it is inhibited: host-lost"):
        t.shoe.press_deal(t.host.now)


def test_a_lease_that_lapses_before_the_first_stack_lets_nothing_begin(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.host.session.renew = False
    t.host.run(10.0)
    with pytest.raises(Refused, match="it is inhibited: host-lost"):
        t.shoe.press_deal(t.host.now)


def test_a_shoe_that_ignores_an_inhibit_goes_on(table: Callable[..., Table]) -> None:
    t = table("ignore-inhibit,lasting")
    t.permit()
    t.deal(1)
    t.host.inhibit("jam", "now")
    t.host.run(1.0)
    assert [item.name for item in t.host.items if isinstance(item, Unconfirmed)] == ["inhibit"]
    t.deal(6)
    assert t.words == ["loaded", *["stack"] * 7]


def test_a_reboot_within_a_stack_is_a_new_boot_that_stopped_and_knows_of_no_round(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit()
    t.deal(1)
    t.shoe.press_deal(t.host.now)
    t.host.run(0.7)
    t.shoe.set_fault(Fault("reboot"), t.host.now)
    t.host.run(20.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.words == ["loaded", "stack", "stopped"]
    assert t.shoe.clear_jam(t.host.now) == t.deck[7:10]
    with pytest.raises(Refused, match="it is inhibited: power-up"):
        t.shoe.press_deal(t.host.now)
    assert t.rest() == t.deck[10:]


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


def test_659a_13_n_a_broken_shoe_says_so_and_takes_no_permit(table: Callable[..., Table]) -> None:
    t = table()
    t.shoe.set_fault(Fault("unusable", "belt"), t.host.now)
    t.permit()
    assert t.host.named("fault") == [{"code": "belt", "where": "drive"}]
    assert [item.why for item in t.host.items if isinstance(item, Answered)] == ["broken"]
    t.shoe.repair(t.host.now)
    t.host.settle()
    assert t.host.named("cleared") == [{"code": "belt", "where": "drive"}]
    t.host.order("permit", round=2, stacks=7, size=7)
    t.deal(1)


def test_a_shoe_that_offers_the_order_of_its_cards_is_refused(table: Callable[..., Table]) -> None:
    t = table("leak-order")
    assert any(isinstance(item, LeaksOrder) for item in t.host.items)
    assert t.words == []


def test_opening_the_door_stops_the_stack(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.shoe.press_deal(t.host.now)
    t.host.run(0.7)
    t.shoe.open_door(t.host.now)
    t.host.settle()
    assert t.words == ["loaded", "door", "stopped"]


@pytest.mark.parametrize("fault", ["line-split=16,lasting", "line-drop=2,lasting,chance=20"])
def test_a_bad_line_loses_doubles_and_invents_no_stack(table: Callable[..., Table], fault: str) -> None:
    t = table()
    t.permit()
    t.host.station.set_fault(Fault.parse(fault), t.host.now)
    t.deal()
    t.host.run_until(lambda: t.words.count("stack") == 7)
    t.host.run(5.0)
    assert t.words == ["loaded", *["stack"] * 7]
