"""What a host hears of a continuous shuffler, held against what really happened in it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, LeaksOrder, Restarted
from felt_simulators.cards import new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.carousel import Carousel
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.hands import CardSticks, Refused
from felt_simulators.faults import CONTINUOUS, Fault, Faults, UnknownFault

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost

BUILD = ContinuousBuild(card_s=0.01)
DOWN: dict[str, object] = {"face_up": False}


def batch(decks: int = 6) -> list[Card]:
    """So many decks of 52."""
    return [card for _ in range(decks) for card in new_deck("a", "red", "t").cards if card.rank != "JK"]


class Table:
    """A machine with six decks in it, the host that listens to it, and a dealer's hands."""

    def __init__(
        self, listening: Callable[..., TrialHost], build: ContinuousBuild, cards: list[Card] | None
    ) -> None:
        self.box = ContinuousShuffler(build, seeded(7), 0.0)
        self.host = listening(self.box, "continuous-shuffler")
        self.cards = batch() if cards is None else cards
        if self.cards:
            self.put_back(self.cards)
        self.host.run(5.0)

    def permit(self, number: int = 1) -> None:
        """Permit a round."""
        self.host.order("permit", round=number)

    def put_back(self, cards: list[Card]) -> None:
        """Put cards in."""
        self.box.put_back(cards, self.host.now)
        self.host.settle()

    def draw(self, how_many: int = 1) -> list[Card]:
        """Draw cards one by one."""
        drawn: list[Card] = []
        for _ in range(how_many):
            drawn.append(self.box.draw(self.host.now))
            self.host.settle()
        return drawn

    def fault(self, text: str) -> None:
        """Put a fault in."""
        self.box.set_fault(Fault.parse(text), self.host.now)
        self.host.settle()

    def lying(self, place: str) -> int:
        """How many cards lie in a place."""
        return len(self.box.places()[place])

    @property
    def words(self) -> list[str]:
        """What was heard."""
        return [name for name, _ in self.host.heard]

    @property
    def inside(self) -> list[object]:
        """The counts that were told."""
        return [fields["count"] for fields in self.host.named("inside")]


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(build: ContinuousBuild = BUILD, cards: list[Card] | None = None) -> Table:
        return Table(listening, build, cards)

    return make


def test_686a_3_a_six_decks_go_in_and_are_counted(table: Callable[..., Table]) -> None:
    t = table()
    assert t.host.heard == [("loaded", {"count": 312}), ("inside", {"count": 312})]
    assert t.lying("feeder") == 0
    assert t.lying("wheel") + t.lying("mouth") == 312
    assert t.lying("mouth") > 8


def test_a_round_is_drawn_and_put_back(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    drawn = t.draw(9)
    assert t.host.named("card") == [DOWN] * 9
    assert sum(len(cards) for cards in t.box.places().values()) == 303
    t.put_back(drawn)
    t.host.run(1.0)
    assert t.words[-2:] == ["loaded", "inside"]
    assert t.host.named("loaded")[-1] == {"count": 9}
    assert t.inside == [312, 312]
    assert [draw["round"] for draw in t.box.truth["draws"]] == [1] * 9


def test_a_card_that_is_put_back_can_come_again_in_any_round(table: Callable[..., Table]) -> None:
    t = table(cards=batch(1))
    seen: Counter[int] = Counter()
    for number in range(1, 40):
        t.permit(number)
        drawn = t.draw(3)
        seen.update(map(id, drawn))
        t.put_back(drawn)
        t.host.run(1.0)
    assert len(seen) > 40
    assert max(seen.values()) > 4
    assert set(t.inside) == {52}


def test_no_card_is_ready_while_the_first_cards_come_in(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=1.0), cards=[])
    t.put_back(batch())
    t.permit()
    with pytest.raises(Refused, match="no card is ready"):
        t.draw()
    t.host.run(48.0)
    t.draw()
    assert t.inside == []


def test_a_machine_that_does_not_count_says_no_number(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=0.01, counts=False))
    assert t.host.heard == [("loaded", {})]
    with pytest.raises(Refused, match="it does not count"):
        t.box.press_count(t.host.now)
    assert len(t.box.remove_all(t.host.now)) == 312
    t.host.settle()
    assert t.host.heard[-1] == ("removed", {})


def test_all_cards_are_taken_out_at_the_end_of_the_day(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    drawn = t.draw(2)
    assert len(t.box.remove_all(t.host.now)) == 310
    t.host.settle()
    assert t.host.heard[-1] == ("removed", {"count": 310})
    with pytest.raises(Refused, match="it is empty"):
        t.draw()
    t.put_back(drawn)
    t.host.run(1.0)
    t.draw()
    assert [draw["round"] for draw in t.box.truth["draws"]] == [1, 1, 1]


def test_the_last_card_is_told_and_then_that_it_is_empty(table: Callable[..., Table]) -> None:
    t = table(cards=batch(1)[:2])
    t.permit()
    t.draw(2)
    assert t.words == ["loaded", "inside", "card", "card", "empty"]
    assert t.box.state.value == "empty"


def test_there_is_no_room_for_eleven_decks(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="there is no room for so many cards"):
        t.box.put_back(batch(5), t.host.now)
    with pytest.raises(Refused, match="there are no cards in the hand"):
        t.box.put_back([], t.host.now)


# The permit, the inhibit, the lamp.


def test_an_inhibit_closes_the_mouth_and_the_wheel_goes_on(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="it is inhibited: power-up"):
        t.draw()
    t.permit()
    drawn = t.draw()
    t.host.inhibit("count", "now")
    assert t.box.lamp
    with pytest.raises(Refused, match="it is inhibited: count"):
        t.draw()
    t.put_back(drawn)
    t.host.run(1.0)
    assert t.inside == [312, 312]


def test_a_lapsed_lease_is_a_lamp_and_the_next_permit_takes_its_place(table: Callable[..., Table]) -> None:
    t = table()
    t.permit(1)
    t.draw()
    t.host.session.renew = False
    t.host.run(10.0)
    assert t.box.lamp
    t.draw()
    t.host.session.renew = True
    t.permit(2)
    assert not t.box.lamp
    t.draw()
    assert [draw["round"] for draw in t.box.truth["draws"]] == [1, 1, 2]


def test_686a_7_a_machine_set_to_the_game_names_the_cards_that_go_face_up(
    table: Callable[..., Table],
) -> None:
    t = table(ContinuousBuild(card_s=0.01, set_to=SETTINGS["686a"]))
    t.permit()
    t.box.key_in(1, t.host.now, burns=1)
    _, up = t.draw(2)
    assert t.host.named("card") == [
        DOWN,
        {"face_up": False, "shown": True, "rank": up.rank, "suit": up.suit, "back": "red"},
    ]
    t.fault("face-up")
    (found,) = t.draw()
    assert t.host.named("card")[-1] == {
        "face_up": True,
        "rank": found.rank,
        "suit": found.suit,
        "back": "red",
    }


def test_a_machine_without_a_game_has_no_keys(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="it has no such keys"):
        t.box.key_in(1, t.host.now)


# Counts and cards that go wrong.


def test_a_count_is_unsteady(table: Callable[..., Table]) -> None:
    t = table()
    for fault in ("", "miscount=-1", ""):
        if fault:
            t.fault(fault)
        t.box.press_count(t.host.now)
        t.host.settle()
    assert t.inside == [312, 312, 311, 312]
    assert [count["inside"] for count in t.box.truth["counts"]] == [312] * 4


def test_an_unsteady_sensor_says_one_more_or_one_less_by_chance(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("unsteady-count,lasting")
    for _ in range(20):
        t.box.press_count(t.host.now)
        t.host.settle()
    assert set(t.inside) == {311, 312, 313}


def test_a_card_that_lies_under_the_rail_is_missing_until_it_is_found(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    drawn = t.draw(3)
    t.fault("lost-card")
    t.put_back(drawn)
    t.host.run(1.0)
    assert t.host.named("loaded")[-1] == {"count": 2}
    assert t.inside[-1] == 311
    found = t.box.search_rail(t.host.now)
    t.put_back(found)
    t.host.run(1.0)
    assert t.inside[-1] == 312


def test_a_card_of_another_batch_gets_in_from_under_the_rail(table: Callable[..., Table]) -> None:
    t = table()
    t.box.drop_cards(new_deck("b", "blue", "t").cards[:1], t.host.now)
    t.permit()
    drawn = t.draw(2)
    t.fault("extra-card")
    t.put_back(drawn)
    t.host.run(1.0)
    assert t.host.named("loaded")[-1] == {"count": 3}
    assert t.inside[-1] == 313
    assert t.box.places()["under-rail"] == []


def test_cards_stay_behind_the_works_as_the_others_are_taken_out(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("cards-left=2")
    assert len(t.box.remove_all(t.host.now)) == 310
    with pytest.raises(Refused, match="its door is closed"):
        t.box.look_inside(t.host.now)
    t.box.open_door(t.host.now)
    assert len(t.box.look_inside(t.host.now)) == 2
    t.box.close_door(t.host.now)
    t.host.settle()
    assert t.words[-3:] == ["removed", "door", "door"]


def test_another_card_slides_out_untold(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("two-cards")
    t.draw(3)
    assert [draw["told"] for draw in t.box.truth["draws"]] == [1, 0, 1]


def test_when_every_card_slips_under_the_rail_there_is_nothing_to_do(table: Callable[..., Table]) -> None:
    t = table(cards=[])
    t.fault("lost-card=3")
    t.put_back(batch(1)[:2])
    t.host.run(1.0)
    assert t.host.heard == [("loaded", {"count": 0})]
    assert t.box.state.value == "empty"


# Stops.


def test_a_card_jams_on_its_way_in(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    drawn = t.draw(5)
    t.fault("jam=2")
    t.put_back(drawn)
    t.host.run(1.0)
    assert t.words[-3:] == ["loaded", "interrupted", "light"]
    assert t.host.named("interrupted") == [{"why": "jam", "where": "feeder"}]
    with pytest.raises(Refused, match="it is interrupted"):
        t.draw()
    assert t.box.clear_jam(t.host.now) == drawn[1:]
    t.put_back(drawn[1:])
    t.host.run(1.0)
    assert t.words[-4:] == ["cleared", "light", "loaded", "inside"]
    assert t.inside[-1] == 312
    assert t.host.named("light") == [{"colour": "red"}, {"colour": "green"}]


def test_a_fault_that_is_put_in_while_cards_go_in_strikes_at_a_later_one(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=1.0), cards=[])
    t.put_back(batch(1)[:10])
    t.host.run(4.5)
    t.fault("stop=2")
    t.host.run(10.0)
    assert t.host.named("interrupted") == [{"why": "stopped", "where": "feeder"}]
    assert (t.lying("feeder"), t.box.truth["stoppages"][0]["card"]) == (6, 5)


def test_a_jam_fires_three_times_and_twice_more_while_it_is_cleared(table: Callable[..., Table]) -> None:
    t = table(cards=[])
    t.fault("double-jam=1")
    t.put_back(batch(1)[:3])
    t.host.run(1.0)
    t.box.clear_jam(t.host.now)
    t.host.settle()
    assert t.words == [
        "loaded",
        "interrupted",
        "light",
        "interrupted",
        "interrupted",
        *["interrupted"] * 2,
        "cleared",
        "light",
    ]


def test_a_card_sticks_in_the_mouth(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("mouth-jam")
    with pytest.raises(CardSticks, match="the card sticks"):
        t.draw()
    t.host.settle()
    assert t.host.named("jam") == [{"where": "mouth"}]
    t.permit(2)
    assert [item.why for item in t.host.items if isinstance(item, Answered)] == [None, "interrupted"]
    (stuck,) = t.box.clear_jam(t.host.now)
    t.put_back([stuck])
    t.draw()
    assert t.words[-5:] == ["light", "cleared", "light", "loaded", "card"]


def test_a_jam_in_the_mouth_leaves_what_is_on_its_way_in(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=1.0), cards=[])
    t.put_back(batch(1))
    t.host.run(50.0)
    t.permit()
    t.fault("mouth-jam")
    with pytest.raises(CardSticks):
        t.draw()
    assert len(t.box.clear_jam(t.host.now)) == 1
    t.host.run(5.0)
    assert t.inside == [51]


def test_an_open_door_stops_the_works_and_the_mouth(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=1.0), cards=[])
    t.put_back(batch(1))
    t.host.run(50.0)
    t.permit()
    t.box.open_door(t.host.now)
    t.host.settle()
    assert t.host.named("interrupted") == [{"why": "stopped", "where": "door"}]
    assert len(t.box.clear_jam(t.host.now)) == 2
    with pytest.raises(Refused, match="its door is open"):
        t.draw()
    with pytest.raises(Refused, match="its door is open"):
        t.box.open_door(t.host.now)
    with pytest.raises(Refused, match="its door is open"):
        t.put_back(batch(1)[:1])
    t.box.close_door(t.host.now)
    t.draw()


def test_it_breaks_at_work_and_goes_on_when_it_is_repaired_and_cleared(table: Callable[..., Table]) -> None:
    t = table(ContinuousBuild(card_s=1.0), cards=[])
    t.put_back(batch(1))
    t.host.run(10.5)
    t.fault("unusable=belt")
    assert t.host.heard[1:] == [
        ("interrupted", {"why": "stopped", "where": "wheel"}),
        ("light", {"colour": "red"}),
        ("fault", {"code": "belt", "where": "wheel"}),
    ]
    t.box.repair(t.host.now)
    assert t.box.state.value == "interrupted"
    assert len(t.box.clear_jam(t.host.now)) == 42
    assert t.box.state.value == "ready"
    t.host.settle()
    assert t.host.heard[4:] == [
        ("cleared", {"code": "belt", "where": "wheel"}),
        ("cleared", {"where": "wheel"}),
        ("light", {"colour": "green"}),
    ]


def test_what_jammed_is_cleared_out_of_a_broken_machine(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("mouth-jam")
    with pytest.raises(CardSticks):
        t.draw()
    t.fault("unusable")
    assert len(t.box.clear_jam(t.host.now)) == 1
    assert t.box.state.value == "broken"
    assert len(t.box.remove_all(t.host.now)) == 311
    assert t.box.state.value == "broken"
    t.box.repair(t.host.now)
    t.host.settle()
    assert (t.box.state.value, t.box.light) == ("empty", "green")


def test_a_stuck_sensor_tells_nothing_and_is_found_out(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("stuck-sensor=4")
    t.draw(2)
    t.host.run(4.0)
    assert t.words == ["loaded", "inside", "fault", "light"]
    assert t.host.named("fault") == [{"code": "sensor", "where": "mouth"}]
    t.box.repair(t.host.now)
    t.draw()
    assert [draw["told"] for draw in t.box.truth["draws"]] == [0, 0, 1]
    with pytest.raises(Refused, match="nothing is broken"):
        t.box.repair(t.host.now)


def test_a_sensor_that_is_freed_before_it_was_found_out_is_told_of_nowhere(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.permit()
    t.fault("stuck-sensor=4")
    t.draw()
    t.box.repair(t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded", "inside"]


def test_a_stuck_sensor_is_no_news_in_a_machine_that_is_broken(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("stuck-sensor=4")
    t.draw()
    t.fault("unusable")
    t.host.run(10.0)
    assert t.words.count("fault") == 1


def test_the_light_alone_changes(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("light=yellow")
    assert t.host.heard[2:] == [("light", {"colour": "yellow"})]
    dark = table(ContinuousBuild(card_s=0.01, has_light=False))
    dark.fault("light=yellow")
    assert dark.words == ["loaded", "inside"]


def test_a_reboot_at_work_is_an_interruption_and_at_rest_is_none(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("reboot")
    t.host.run(10.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.words == ["loaded", "inside"]
    t.permit()
    drawn = t.draw(2)
    t.put_back(drawn)
    t.fault("reboot")
    t.host.run(10.0)
    assert t.words[-3:] == ["loaded", "interrupted", "light"]
    assert t.host.named("interrupted") == [{"why": "stopped", "where": "power-up"}]
    assert set(t.box.clear_jam(t.host.now)) == set(drawn)


def test_a_machine_that_starts_again_says_that_it_is_empty_where_no_card_is_in_it(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.box.remove_all(t.host.now)
    t.box.power_cycle(t.host.now)
    t.host.run(10.0)
    # That the cards were taken out it had not told yet, and forgot.
    assert t.words == ["loaded", "inside", "empty"]


def test_a_machine_that_breaks_as_it_starts_says_so_once_it_is_up(table: Callable[..., Table]) -> None:
    t = table()
    t.box.power_cycle(t.host.now)
    t.fault("unusable")
    t.host.run(10.0)
    assert t.words == ["loaded", "inside", "fault", "light"]


def test_a_silent_machine_speaks_again(table: Callable[..., Table]) -> None:
    t = table()
    t.permit()
    t.fault("silent")
    t.draw()
    assert t.words == ["loaded", "inside"]
    t.box.lift_fault("silent", t.host.now)
    t.box.lift_fault("jam", t.host.now)
    t.host.run(5.0)
    assert t.words == ["loaded", "inside", "card"]


def test_a_machine_that_offers_the_order_of_its_cards_is_refused(table: Callable[..., Table]) -> None:
    t = table()
    t.fault("leak-order")
    t.box.press_count(t.host.now)
    t.host.settle()
    assert any(isinstance(item, LeaksOrder) for item in t.host.items)
    assert t.words == ["loaded", "inside"]


def test_a_fault_of_another_machine_is_none_of_this_one(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(UnknownFault, match="a continuous-shuffler cannot have the fault stack-size"):
        t.fault("stack-size=5")


def test_nothing_is_taken_out_of_an_empty_machine(table: Callable[..., Table]) -> None:
    t = table(cards=[])
    t.fault("unusable")
    with pytest.raises(Refused, match="there are no cards in it"):
        t.box.remove_all(t.host.now)
    with pytest.raises(Refused, match="nothing is stuck"):
        t.box.clear_jam(t.host.now)


def test_every_place_of_the_wheel_is_used_and_none_has_more_cards_than_it_holds() -> None:
    rng: random.Random = seeded(5)
    wheel = Carousel(48, 10, Faults(CONTINUOUS, rng), rng)
    wheel.take_in(batch(8), 0.0)
    wheel.feed(416)
    slots: Any = vars(wheel)["_slots"]
    assert sum(len(slot) for slot in slots) == 416
    assert {len(slot) > 0 for slot in slots} == {True}
    assert max(len(slot) for slot in slots) == 10
    assert wheel.room == 64
