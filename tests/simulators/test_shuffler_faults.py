"""What a host hears of a shuffler over a real line, held against what really happened in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import (
    Answered,
    Back,
    Connected,
    LeaksOrder,
    Lost,
    Restarted,
    Stale,
    Unconfirmed,
)
from felt_simulators.cards import cover_card, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost


class Table:
    """A shuffler, the host that listens to it, and two decks at hand."""

    def __init__(
        self, listening: Callable[..., TrialHost], *faults: str, build: ShufflerBuild | None = None
    ) -> None:
        self.shuffler = Shuffler(build or ShufflerBuild(), seeded(7), 0.0)
        self.host = listening(self.shuffler, "shuffler")
        self.red = new_deck("a", "red", "table-1").stack()
        self.blue = new_deck("b", "blue", "table-1").stack()
        self.cycle = 0
        for fault in faults:
            self.shuffler.set_fault(Fault.parse(fault), self.host.now)

    def load(self, cards: list[Card]) -> None:
        """Put a stack in."""
        self.shuffler.load(cards, self.host.now)
        self.host.settle()

    def permit(self) -> None:
        """Permit a cycle for the batch that was loaded last."""
        self.cycle += 1
        self.host.run_until(lambda: self.words[-1:] == ["loaded"] or self.words[-1:] == ["door"])
        batch = self.host.named("loaded")[-1]["batch"]
        self.host.order("permit", cycle=self.cycle, batch=batch)

    def unload(self) -> list[Card]:
        """Take the stack out."""
        cards = self.shuffler.unload(self.host.now)
        self.host.settle()
        return cards

    def shuffle(self, cards: list[Card]) -> None:
        """Load, permit, and wait for longer than a shuffle takes."""
        self.load(cards)
        self.permit()
        self.host.run(31.0)

    @property
    def words(self) -> list[str]:
        """What was heard, but for the light."""
        return [name for name, _ in self.host.heard if name != "light"]

    @property
    def batch(self) -> dict[str, Any]:
        """The truth of the last batch."""
        batch: dict[str, Any] = self.shuffler.truth["batches"][-1]
        return batch

    @property
    def stoppage(self) -> dict[str, Any]:
        """The truth of the last stoppage."""
        stoppage: dict[str, Any] = self.shuffler.truth["stoppages"][-1]
        return stoppage

    def lies(self, place: str) -> int:
        """How many cards lie in a place."""
        number: int = self.shuffler.truth["places"][place]["count"]
        return number


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(*faults: str, build: ShufflerBuild | None = None) -> Table:
        return Table(listening, *faults, build=build)

    return make


def test_659a_5_a_a_shuffle_runs_thirty_seconds_and_tells_its_count(table: Callable[..., Table]) -> None:
    t = table()
    t.shuffle(t.red)
    assert t.words == ["loaded", "started", "completed"]
    assert t.host.named("completed") == [{"batch": 1, "mode": "shuffle", "count": 53}]
    assert t.batch["outcome"] == "shuffled"
    assert t.batch["shuffled"] is True
    assert t.batch["ended_at"] - t.batch["started_at"] == pytest.approx(30.0)
    cards = t.unload()
    assert t.host.named("unloaded") == [{"batch": 1, "count": 53}]
    assert sorted(map(id, cards)) == sorted(map(id, t.red))
    assert cards != t.red


def test_the_same_seed_shuffles_alike_and_another_does_not(listening: Callable[..., TrialHost]) -> None:
    orders: list[list[str]] = []
    for seed in (1, 1, 2):
        t = Table(listening)
        t.shuffler = Shuffler(ShufflerBuild(), seeded(seed), 0.0)
        t.host = listening(t.shuffler, "shuffler")
        t.shuffle(t.red)
        orders.append([card.code for card in t.unload()])
    assert orders[0] == orders[1] != orders[2]


def test_nothing_starts_without_a_permit_for_this_batch(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.host.run(60.0)
    assert t.words == ["loaded"]
    t.host.order("permit", cycle=1, batch=2)
    answers = [item for item in t.host.items if isinstance(item, Answered)]
    assert answers == [Answered("permit", ("trial", 1), ok=False, why="no-such-batch")]
    t.host.run(60.0)
    assert t.words == ["loaded"]
    assert t.batch["outcome"] == "waiting"


@pytest.mark.parametrize("card", [1, 20, 53])
def test_659a_13_l_a_jam_stops_it_at_the_card(table: Callable[..., Table], card: int) -> None:
    t = table(f"jam={card}")
    t.shuffle(t.red)
    assert t.words == ["loaded", "started", "interrupted"]
    assert t.host.named("interrupted") == [{"batch": 1, "why": "jam", "where": "feeder"}]
    assert t.host.named("light") == [{"colour": "red"}]
    assert (t.stoppage["why"], t.stoppage["card"], t.stoppage["told"]) == ("jam", card, 1)
    assert t.stoppage["at"] - t.batch["started_at"] == pytest.approx(30.0 * card / 53)
    assert (t.lies("drum"), t.lies("feeder")) == (card - 1, 53 - (card - 1))
    assert t.batch["shuffled"] is False
    cards = t.shuffler.clear_jam(t.host.now)
    t.host.settle()
    assert len(cards) == 53
    assert t.host.named("cleared") == [{"where": "feeder"}]
    assert t.host.named("light") == [{"colour": "red"}, {"colour": "green"}]
    t.shuffle(cards)
    assert t.host.named("completed") == [{"batch": 2, "mode": "shuffle", "count": 53}]


def test_a_jam_that_is_put_in_during_the_shuffle_strikes_at_the_next_card(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(15.0)
    t.shuffler.set_fault(Fault("jam", 1), t.host.now)
    t.host.run(1.0)
    assert t.words[-1] == "interrupted"
    assert t.stoppage["card"] == 27


def test_a_lasting_jam_strikes_each_time(table: Callable[..., Table]) -> None:
    t = table("jam=10,lasting")
    t.shuffle(t.red)
    t.shuffle(t.shuffler.clear_jam(t.host.now))
    assert [fields["batch"] for fields in t.host.named("interrupted")] == [1, 2]
    t.shuffler.lift_fault("jam", t.host.now)
    t.shuffle(t.shuffler.clear_jam(t.host.now))
    assert t.words[-1] == "completed"


def test_case_27_a_double_fired_jam_is_told_three_times_in_40_ms_and_twice_more_while_cleared(
    table: Callable[..., Table],
) -> None:
    t = table("double-jam=20")
    t.load(t.red)
    t.permit()
    t.host.run_until(lambda: "interrupted" in t.words)
    first = t.host.now
    t.host.run_until(lambda: t.words.count("interrupted") == 3)
    assert t.host.now - first == pytest.approx(0.04, abs=1e-6)
    t.host.run(10.0)
    assert t.words.count("interrupted") == 3
    t.shuffler.clear_jam(t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded", "started", *["interrupted"] * 5, "cleared"]
    assert t.stoppage["told"] == 5


def test_659a_13_l_it_stops_in_a_shuffle(table: Callable[..., Table]) -> None:
    t = table("stop=30")
    t.shuffle(t.red)
    assert t.host.named("interrupted") == [{"batch": 1, "why": "stopped", "where": "drum"}]
    assert (t.stoppage["why"], t.stoppage["card"]) == ("stopped", 30)


def test_659a_13_l_it_does_not_complete_its_cycle(table: Callable[..., Table]) -> None:
    t = table("incomplete=5")
    t.shuffle(t.red)
    assert t.host.named("interrupted") == [{"batch": 1, "why": "incomplete", "where": "drum"}]
    assert (t.lies("drum"), t.lies("feeder")) == (48, 5)
    assert t.batch["shuffled"] is False


def test_52_cards_are_counted_when_one_lies_under_the_rail(table: Callable[..., Table]) -> None:
    t = table("lost-card")
    t.shuffle(t.red)
    assert t.host.named("completed")[0]["count"] == 52
    assert t.batch["cards"]["count"] == 52
    assert t.lies("under-rail") == 1
    assert len(t.unload()) == 52
    (found,) = t.shuffler.search_rail(t.host.now)
    assert found in t.red


def test_nothing_is_shuffled_where_every_card_slipped_under_the_rail(table: Callable[..., Table]) -> None:
    t = table("lost-card=2")
    t.shuffle(t.red[:2])
    assert t.host.named("started") == []
    assert (t.lies("feeder"), t.lies("under-rail")) == (0, 2)
    assert t.unload() == []


def test_54_cards_are_counted_when_one_of_the_other_deck_gets_in(table: Callable[..., Table]) -> None:
    t = table("extra-card")
    t.load(t.red)
    assert len(t.unload()) == 53
    t.shuffler.drop_cards([t.blue[0]], t.host.now)
    t.shuffle(t.red)
    assert t.host.named("completed")[0]["count"] == 54
    assert t.batch["cards"]["backs"] == {"blue": 1, "red": 53}


def test_case_24_a_count_of_53_hides_a_foreign_card_and_the_composition_shows_it(
    table: Callable[..., Table],
) -> None:
    t = table("lost-card", build=ShufflerBuild(recognises=True))
    t.shuffle(t.red)
    cards = t.unload()
    (lost,) = t.shuffler.search_rail(t.host.now)
    t.shuffler.drop_cards([t.blue[0]], t.host.now)
    t.shuffler.set_fault(Fault("extra-card"), t.host.now)
    t.shuffle(cards)
    told: Any = t.host.named("completed")[1]
    assert told["count"] == 53
    assert told["composition"]["blue"] == {"AC": 1}
    assert lost.code not in told["composition"]["red"]
    assert sum(told["composition"]["red"].values()) == 52
    assert told["composition"] == t.batch["cards"]["composition"]


@pytest.mark.parametrize(("fault", "told"), [("miscount=-1", 52), ("miscount=1", 54)])
def test_a_miscount_says_other_than_the_truth_once(
    table: Callable[..., Table], fault: str, told: int
) -> None:
    t = table(fault)
    t.shuffle(t.red)
    assert t.host.named("completed")[0]["count"] == told
    assert t.batch["cards"]["count"] == 53
    t.unload()
    assert t.host.named("unloaded")[0]["count"] == 53


def test_case_24_an_unsteady_sensor_counts_differently_from_time_to_time(
    table: Callable[..., Table],
) -> None:
    t = table("unsteady-count=1,lasting")
    cards = t.red
    for _ in range(12):
        t.shuffle(cards)
        cards = t.unload()
    told = {fields["count"] for fields in t.host.named("completed")}
    assert told == {52, 53, 54}
    assert len(cards) == 53


def test_sort_mode_left_on_is_no_shuffle(table: Callable[..., Table]) -> None:
    t = table("sort-mode")
    t.shuffle(list(reversed(t.red)))
    assert t.host.named("completed") == [{"batch": 1, "mode": "sort", "count": 53}]
    assert (t.batch["outcome"], t.batch["shuffled"]) == ("sorted", False)
    assert t.unload() == t.red
    t.shuffle(t.red)
    assert t.host.named("completed")[1]["mode"] == "shuffle"


def test_the_switch_stays_in_sort_mode_until_it_is_turned_back(table: Callable[..., Table]) -> None:
    t = table()
    t.shuffler.switch_mode("sort", t.host.now)
    t.shuffle(t.red)
    t.shuffler.switch_mode("shuffle", t.host.now)
    t.shuffle(t.unload())
    assert [fields["mode"] for fields in t.host.named("completed")] == ["sort", "shuffle"]


def test_sixteen_cards_stay_inside_and_go_with_the_next_deck(table: Callable[..., Table]) -> None:
    t = table("cards-left=16")
    t.shuffle(t.red)
    assert len(t.unload()) == 37
    assert t.host.named("unloaded") == [{"batch": 1, "count": 37}]
    assert t.lies("inside") == 16
    t.shuffle(t.blue)
    assert t.host.named("completed")[1]["count"] == 69
    assert t.batch["cards"]["backs"] == {"blue": 53, "red": 16}


def test_what_stayed_inside_is_found_behind_the_door(table: Callable[..., Table]) -> None:
    t = table("cards-left=16")
    t.shuffle(t.red)
    t.unload()
    t.shuffler.open_door(t.host.now)
    assert len(t.shuffler.look_inside(t.host.now)) == 16
    t.shuffler.close_door(t.host.now)
    t.host.settle()
    assert t.host.named("door") == [{"open": True}, {"open": False}]


def test_loaded_permitted_and_never_shuffled(table: Callable[..., Table]) -> None:
    t = table("never-starts")
    t.shuffle(t.red)
    assert [item.ok for item in t.host.items if isinstance(item, Answered)] == [True]
    assert t.unload() == t.red
    assert t.words == ["loaded", "unloaded"]
    assert (t.batch["outcome"], t.batch["shuffled"]) == ("skipped", False)


def test_a_dealer_takes_the_cards_out_before_the_shuffle(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    assert t.unload() == t.red
    assert t.words == ["loaded", "unloaded"]
    assert t.batch["outcome"] == "skipped"


def test_a_dead_drum_is_not_heard_on_the_line(table: Callable[..., Table]) -> None:
    t = table("dead-drum")
    t.shuffle(t.red)
    assert t.host.named("completed") == [{"batch": 1, "mode": "shuffle", "count": 53}]
    assert (t.batch["outcome"], t.batch["shuffled"]) == ("unchanged", False)
    assert t.unload() == t.red


def test_a_cover_card_is_counted_as_one_more(table: Callable[..., Table]) -> None:
    t = table()
    t.shuffle([*t.red, cover_card()])
    assert t.host.named("completed")[0]["count"] == 54
    assert t.batch["cards"]["count"] == 53


def test_659a_13_n_a_broken_machine_says_so_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.shuffler.set_fault(Fault("unusable", "belt"), t.host.now)
    t.host.run(1.0)
    assert t.words == ["loaded", "started", "interrupted", "fault"]
    assert t.host.named("fault") == [{"code": "belt", "where": "drum"}]
    assert len(t.shuffler.clear_jam(t.host.now)) == 53
    t.shuffler.repair(t.host.now)
    t.host.settle()
    assert t.host.named("cleared") == [{"where": "drum"}, {"code": "belt", "where": "drum"}]
    assert t.shuffler.truth["state"] == "empty"


def test_a_red_light_and_nothing_else(table: Callable[..., Table]) -> None:
    t = table("light=red")
    t.host.settle()
    assert t.host.heard == [("light", {"colour": "red"})]
    assert t.shuffler.truth["light"] == "red"


def test_a_reboot_in_mid_shuffle_is_a_new_boot_that_found_its_cards(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.shuffler.set_fault(Fault("reboot"), t.host.now)
    t.host.run(20.0)
    (restart,) = [item for item in t.host.items if isinstance(item, Restarted)]
    boots = t.shuffler.truth["boots"]
    assert restart.previous_boot == boots[0]["boot"]
    assert restart.hello.boot == boots[1]["boot"]
    assert t.host.named("interrupted") == [{"batch": 1, "why": "stopped", "where": "power-up"}]
    batches = t.shuffler.truth["batches"]
    assert [batch["outcome"] for batch in batches] == ["power", "stopped"]
    assert [batch["boot"] for batch in batches] == [1, 2]
    assert len(t.shuffler.clear_jam(t.host.now)) == 53


def test_a_reboot_with_a_shuffled_deck_forgets_that_it_was_shuffled(table: Callable[..., Table]) -> None:
    t = table()
    t.shuffle(t.red)
    t.shuffler.power_cycle(t.host.now)
    t.host.run(20.0)
    t.unload()
    assert t.words == ["loaded", "started", "completed", "unloaded"]
    assert t.host.named("unloaded") == [{"batch": 1, "count": 53}]
    assert (t.batch["boot"], t.batch["shuffled"]) == (2, True)


def test_a_reboot_with_a_loaded_deck_loads_it_anew(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.shuffler.power_cycle(t.host.now)
    t.host.run(20.0)
    assert t.host.named("loaded") == [{"batch": 1}, {"batch": 1}]
    t.permit()
    t.host.run(31.0)
    assert t.words[-1] == "completed"


def test_a_silent_device_goes_on_and_its_events_come_late(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(25.0)
    t.shuffler.set_fault(Fault("silent", 10), t.host.now)
    t.host.run(9.0)
    assert [type(item) for item in t.host.items[-2:]] == [Stale, Lost]
    assert t.words == ["loaded", "started"]
    t.host.run(5.0)
    assert any(isinstance(item, Back) for item in t.host.items)
    assert t.words == ["loaded", "started", "completed"]
    assert t.batch["ended_at"] == pytest.approx(31.0)


def test_a_device_that_is_silent_for_ever_speaks_when_the_fault_is_lifted(
    table: Callable[..., Table],
) -> None:
    t = table("silent")
    t.host.run(60.0)
    assert isinstance(t.host.items[-1], Lost)
    t.shuffler.lift_fault("silent", t.host.now)
    t.host.run(10.0)
    assert any(isinstance(item, Back) for item in t.host.items)


def test_an_inhibit_now_stops_the_shuffle_at_once(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.host.inhibit("jam", "now")
    assert t.host.named("interrupted") == [{"batch": 1, "why": "stopped", "where": "host"}]
    assert t.stoppage["at"] == t.host.now


def test_an_inhibit_after_the_round_lets_the_cycle_end(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.host.inhibit("count", "after-round")
    t.host.run(25.0)
    assert t.words == ["loaded", "started", "completed"]
    t.host.run(1.0)
    assert t.host.session.shown is not None
    assert (t.host.session.shown.inhibited, t.host.session.shown.why) == (True, "count")


def test_a_device_that_ignores_an_inhibit_is_unconfirmed_and_goes_on(table: Callable[..., Table]) -> None:
    t = table("ignore-inhibit,lasting")
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.host.inhibit("jam", "now")
    t.host.run(25.0)
    assert [item.name for item in t.host.items if isinstance(item, Unconfirmed)] == ["inhibit"]
    assert t.words == ["loaded", "started", "completed"]


def test_a_lapsed_lease_lets_the_cycle_end_and_nothing_new_begin(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.host.session.renew = False
    t.host.run(25.0)
    assert t.words == ["loaded", "started", "completed"]
    t.host.run(1.0)
    assert t.host.session.shown is not None
    assert t.host.session.shown.why == "host-lost"


def test_a_cycle_spends_its_permit(table: Callable[..., Table]) -> None:
    t = table()
    t.shuffle(t.red)
    t.load(t.unload())
    t.host.run(60.0)
    assert t.words == ["loaded", "started", "completed", "unloaded", "loaded"]
    assert t.host.session.shown is not None
    assert t.host.session.shown.why == "permit-spent"


def test_a_device_that_offers_the_order_of_its_cards_is_refused(table: Callable[..., Table]) -> None:
    t = table("leak-order")
    t.shuffle(t.red)
    assert any(isinstance(item, LeaksOrder) for item in t.host.items)
    assert t.words == ["loaded", "started"]


def test_opening_the_door_stops_the_shuffle(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.shuffler.open_door(t.host.now)
    t.host.settle()
    assert t.words == ["loaded", "started", "door", "interrupted"]
    assert t.host.named("interrupted")[0]["where"] == "door"


def test_a_permit_waits_for_the_door(table: Callable[..., Table]) -> None:
    t = table()
    t.load(t.red)
    t.shuffler.open_door(t.host.now)
    t.permit()
    t.host.run(5.0)
    assert "started" not in t.words
    t.shuffler.close_door(t.host.now)
    t.host.settle()
    assert t.words[-1] == "started"


@pytest.mark.parametrize(
    "fault",
    [
        "line-split=16,lasting",
        "line-duplicate=1,lasting",
        "line-merge=3,lasting",
        "line-noise=40,lasting",
        "line-drop=2,lasting,chance=20",
        "line-flip=1,lasting,chance=20",
    ],
)
def test_a_bad_line_loses_doubles_and_invents_nothing(table: Callable[..., Table], fault: str) -> None:
    t = table()
    t.host.station.set_fault(Fault.parse(fault), t.host.now)
    t.shuffle(t.red)
    t.host.run_until(lambda: "completed" in t.words)
    assert t.words == ["loaded", "started", "completed"]
    assert t.host.named("completed")[0]["count"] == 53


def test_a_line_that_hangs_up_in_mid_shuffle_comes_back_and_tells_the_rest(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.load(t.red)
    t.permit()
    t.host.run(10.0)
    t.host.station.set_fault(Fault("line-hang-up", 25_000), t.host.now)
    t.host.run(24.0)
    assert t.words == ["loaded", "started"]
    t.host.run(10.0)
    assert t.words == ["loaded", "started", "completed"]
    connected = [item for item in t.host.items if isinstance(item, Connected)]
    assert [item.same_boot for item in connected] == [False, True]


def test_an_unread_line_loses_the_host_and_not_the_events(table: Callable[..., Table]) -> None:
    t = table()
    t.host.station.set_fault(Fault("line-unread"), t.host.now)
    t.load(t.red)
    t.host.run(10.0)
    assert t.words == ["loaded"]
    t.host.station.lift_fault("line-unread", t.host.now)
    t.host.run(10.0)
    assert t.words == ["loaded"]
    t.permit()
    t.host.run(31.0)
    assert t.words == ["loaded", "started", "completed"]
