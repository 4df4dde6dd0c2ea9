"""What a host hears of a progressive station over a real line, held against the wagers that lay there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, EventsLost, Restarted
from felt_simulators.chance import seeded
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.station_build import State, StationBuild
from felt_simulators.faults import Fault, UnknownFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost


class Table:
    """A station and the host that listens to it."""

    def __init__(
        self, listening: Callable[..., TrialHost], *faults: str, build: StationBuild | None = None
    ) -> None:
        self.station = ProgressiveStation(build or StationBuild(), seeded(7), 0.0)
        self.host = listening(self.station, "progressive-station")
        for fault in faults:
            self.fault(fault)

    def lay(self, *seats: int) -> None:
        """Lay a wager on the sensor of each of these seats."""
        for seat in seats:
            self.station.place_bet(seat, self.host.now)
        self.host.settle()

    def take(self, seat: int) -> None:
        """Take a wager from its sensor."""
        self.station.take_bet(seat, self.host.now)
        self.host.settle()

    def start(self) -> None:
        """Press Start Game."""
        self.station.press_start(self.host.now)
        self.host.settle()

    def collect(self) -> tuple[int, ...]:
        """Sweep the lit wagers into the tray."""
        seats = self.station.collect(self.host.now)
        self.host.settle()
        return seats

    def fault(self, text: str) -> None:
        """Put a fault in."""
        self.station.set_fault(Fault.parse(text), self.host.now)
        self.host.settle()

    def since(self, many: int) -> list[tuple[str, dict[str, object]]]:
        """What was heard after so many events."""
        return [(name, dict(fields)) for name, fields in self.host.heard[many:]]

    def answers(self) -> list[tuple[str, bool | None, str | None]]:
        """How the orders were answered."""
        return [(item.name, item.ok, item.why) for item in self.host.items if isinstance(item, Answered)]

    def lamps(self) -> str:
        """The seats whose lamps are on."""
        return " ".join(str(seat) for seat, pattern in self.station.lamps.items() if pattern == "on")


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(*faults: str, build: StationBuild | None = None) -> Table:
        return Table(listening, *faults, build=build)

    return make


def test_687a_8_c_start_game_takes_the_wagers_and_lights_them_up(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1, 3, 4)
    t.take(4)
    assert t.since(0) == [
        ("bet", {"seat": 1, "present": True}),
        ("bet", {"seat": 3, "present": True}),
        ("bet", {"seat": 4, "present": True}),
        ("bet", {"seat": 4, "present": False}),
    ]
    t.start()
    assert t.since(4) == [("start_game", {}), ("locked", {"seats": [1, 3]})]
    assert t.lamps() == "1 3"
    assert t.collect() == (1, 3)
    t.host.run(5.0)
    assert len(t.host.heard) == 6
    assert t.lamps() == "1 3"
    assert t.station.truth["locks"] == [{"at": 1.0, "by": "key", "wagers": [1, 3], "told": [1, 3]}]


def test_start_game_without_a_wager_locks_none(table: Callable[..., Table]) -> None:
    t = table()
    t.start()
    t.start()
    assert t.since(0) == [("start_game", {}), ("locked", {"seats": []}), ("start_game", {})]
    with pytest.raises(Refused, match="cannot collect: no wager lies at a lamp that is lit"):
        t.collect()


def test_the_order_locks_as_the_key_does_and_only_once(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(2)
    t.host.order("lock")
    t.host.order("lock")
    assert t.since(1) == [("locked", {"seats": [2]})]
    assert t.answers() == [("lock", True, None)] * 2
    assert t.station.truth["locks"][0]["by"] == "order"


def test_a_wager_after_the_lock_is_late_and_a_bet_when_it_opens(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1)
    t.start()
    t.lay(5)
    assert t.since(3) == [("late_bet", {"seat": 5})]
    assert t.lamps() == "1"
    assert t.collect() == (1,)
    t.host.order("unlock")
    assert t.since(4) == [("bet", {"seat": 5, "present": True})]
    assert (t.lamps(), t.station.state) == ("", State.OPEN)


def test_a_late_wager_that_is_given_back_is_no_bet(table: Callable[..., Table]) -> None:
    t = table()
    t.start()
    t.lay(5)
    t.take(5)
    t.host.run(5.0)
    t.host.order("unlock")
    t.host.order("unlock")
    assert t.since(2) == [("late_bet", {"seat": 5})]
    assert t.answers() == [("unlock", True, None)] * 2


def test_a_second_wager_on_a_collected_seat_is_late(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1)
    t.start()
    t.collect()
    t.lay(1)
    assert t.since(3) == [("late_bet", {"seat": 1})]


def test_a_taken_wager_that_never_comes_into_the_tray_is_told(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1, 3)
    t.start()
    t.take(3)
    assert t.collect() == (1,)
    t.host.run(1.9)
    assert len(t.host.heard) == 4
    t.host.run(0.2)
    assert t.since(4) == [("bet_removed", {"seat": 3})]
    t.lay(3)
    assert t.since(5) == [("late_bet", {"seat": 3})]
    moves = [(move["what"], move["seat"]) for move in t.station.truth["moves"]]
    assert moves == [("laid", 1), ("laid", 3), ("taken", 3), ("collected", 1), ("laid", 3)]


def test_a_wager_that_is_laid_back_at_once_was_never_gone(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(3)
    t.start()
    t.take(3)
    t.host.run(1.0)
    t.lay(3)
    t.host.run(5.0)
    assert len(t.host.heard) == 3
    assert t.collect() == (3,)


def test_a_station_without_a_tray_never_says_that_a_wager_was_taken_back(table: Callable[..., Table]) -> None:
    t = table(build=StationBuild(tray=False))
    t.lay(3)
    t.start()
    t.take(3)
    t.host.run(5.0)
    assert len(t.host.heard) == 3
    hello = t.host.session.hello
    assert hello is not None
    assert hello.capabilities == ()


def test_a_sensor_that_sticks_sees_a_wager_where_none_is(table: Callable[..., Table]) -> None:
    t = table("sensor-stuck-on=4")
    assert t.since(0) == [("bet", {"seat": 4, "present": True})]
    t.start()
    assert t.station.truth["locks"][0] == {"at": 1.0, "by": "key", "wagers": [], "told": [4]}
    t.host.order("unlock")
    assert t.since(3) == [("bet", {"seat": 4, "present": True})]
    t.station.lift_fault("sensor-stuck-on", t.host.now)
    t.host.settle()
    assert t.since(4) == [("bet", {"seat": 4, "present": False})]


def test_a_sensor_that_is_dead_sees_no_wager_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table("sensor-stuck-off=2")
    t.lay(1, 2)
    t.start()
    assert t.since(1) == [("start_game", {}), ("locked", {"seats": [1]})]
    assert t.station.truth["locks"][0]["wagers"] == [1, 2]
    t.host.order("unlock")
    t.station.repair(t.host.now)
    t.host.settle()
    assert t.since(4) == [("bet", {"seat": 2, "present": True})]
    with pytest.raises(Refused, match="cannot repair: nothing is broken"):
        t.station.repair(t.host.now)


def test_a_sensor_that_nobody_names_is_one_of_the_seats(table: Callable[..., Table]) -> None:
    t = table("sensor-stuck-on")
    [(_, told)] = t.since(0)
    assert told["seat"] in range(1, 7)


def test_a_sensor_of_a_seat_that_is_not_there_cannot_stick(table: Callable[..., Table]) -> None:
    with pytest.raises(UnknownFault, match="this station has the seats 1 to 6, not 7"):
        table("sensor-stuck-on=7")


def test_winning_hands_and_keys_are_told_as_they_are_pressed(table: Callable[..., Table]) -> None:
    t = table()
    t.station.key_in(3, "royal-flush", t.host.now)
    t.station.turn_key("reset", t.host.now, on=True)
    t.station.turn_key("reset", t.host.now, on=False)
    t.host.settle()
    assert t.since(0) == [
        ("hand", {"seat": 3, "rank": "royal-flush"}),
        ("key", {"which": "reset", "on": True}),
        ("key", {"which": "reset", "on": False}),
    ]
    assert t.station.truth["keys"] == {"reset": False, "payout": False}


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (lambda t: t.lay(7), "cannot place bet: there are the seats 1 to 6"),
        (lambda t: t.lay(1, 1), "cannot place bet: a wager lies there"),
        (lambda t: t.take(1), "cannot take bet: no wager lies there"),
        (lambda t: t.collect(), "cannot collect: it is open, and must be locked"),
        (lambda t: t.station.key_in(0, "flush", 1.0), "cannot key in: there are the seats 1 to 6"),
        (lambda t: t.station.key_in(1, "Full House", 1.0), "a hand is one word, as straight-flush"),
        (lambda t: t.station.turn_key("door", 1.0, on=True), "it has no key door; it has reset, payout"),
        (lambda t: t.station.turn_key("reset", 1.0, on=False), "cannot turn key: it stands there"),
    ],
)
def test_a_hand_that_cannot_be_made_is_refused(
    table: Callable[..., Table], hand: Callable[[Table], None], why: str
) -> None:
    t = table()
    with pytest.raises(Refused, match=why):
        hand(t)
    assert t.station.truth["hands"] == []


def test_amounts_are_shown_until_the_host_falls_silent(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("show", meter="main", cents=1_234_567)
    t.host.order("show", meter="main", cents=1_234_667)
    t.host.order("show", meter="second", cents=5)
    assert t.station.display == {"main": 1_234_667, "second": 5}
    t.host.close()
    t.station.elapsed(t.host.now + 4.9)
    assert t.station.display != {}
    t.station.elapsed(t.host.now + 5.1)
    assert t.station.display == {}


def test_amounts_come_back_with_the_host(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("show", meter="main", cents=100)
    t.fault("silent=6")
    t.host.run(5.9)
    assert t.station.display == {}
    t.host.run(2.0)
    assert t.station.display == {"main": 100}


def test_a_lamp_shines_as_it_is_asked_until_the_station_locks(table: Callable[..., Table]) -> None:
    t = table()
    t.host.show(("lamp", {"seat": 2, "pattern": "slow"}), ("lamp", {"seat": 9, "pattern": "on"}))
    assert t.station.lamps[2] == "slow"
    assert t.answers() == [("lamp", True, None), ("lamp", False, "no-such-seat")]
    t.start()
    assert t.station.lamps[2] == "off"


def test_a_station_is_never_inhibited(table: Callable[..., Table]) -> None:
    t = table()
    assert t.host.session.shown is not None
    assert (t.host.session.shown.inhibited, t.host.session.shown.state) == (False, "open")
    with pytest.raises(UnknownFault, match="a progressive-station cannot have the fault ignore-inhibit"):
        t.fault("ignore-inhibit")


def test_a_broken_station_does_nothing_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1)
    t.start()
    t.fault("unusable=board")
    assert t.since(3) == [("fault", {"code": "board"})]
    for order in ("lock", "unlock"):
        t.host.order(order)
    t.host.order("show", meter="main", cents=1)
    assert [(ok, why) for _, ok, why in t.answers()] == [(False, "broken")] * 3
    t.start()
    t.lay(2)
    t.station.key_in(2, "flush", t.host.now)
    assert (t.lamps(), t.station.display) == ("", {})
    t.station.repair(t.host.now)
    t.host.settle()
    assert t.since(4) == [
        ("cleared", {"code": "board"}),
        ("bet", {"seat": 1, "present": True}),
        ("bet", {"seat": 2, "present": True}),
    ]
    assert t.station.truth["hands"][0]["told"] is False


def test_a_reboot_forgets_the_lock_and_tells_what_lies_there(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1, 3)
    t.start()
    t.host.order("show", meter="main", cents=100)
    t.fault("reboot")
    t.lay(4)
    t.host.run(4.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.since(4) == [("bet", {"seat": seat, "present": True}) for seat in (1, 3, 4)]
    assert (t.lamps(), t.station.display) == ("", {})


def test_a_station_that_breaks_while_it_starts_says_so_when_it_has_started(
    table: Callable[..., Table],
) -> None:
    t = table("reboot", "unusable=board")
    assert t.station.state is State.STARTING
    t.host.run(4.0)
    assert t.since(0) == [("fault", {"code": "board"})]
    assert t.station.state is State.BROKEN


def test_what_does_not_fit_into_its_memory_is_told_as_lost(table: Callable[..., Table]) -> None:
    t = table("silent")
    for _ in range(40):
        t.lay(1)
        t.take(1)
    t.station.lift_fault("silent", t.host.now)
    t.host.run(10.0)
    [lost] = [item for item in t.host.items if isinstance(item, EventsLost)]
    assert (lost.first, lost.last) == (65, 80)
    assert len(t.host.heard) == 64


def test_the_truth_of_a_station_is_plain_json_and_a_copy(table: Callable[..., Table]) -> None:
    t = table()
    t.lay(1)
    t.start()
    truth: Any = t.station.truth
    assert json.loads(json.dumps(truth)) == truth
    assert truth["wagers"] == [1]
    truth["moves"].clear()
    truth["lamps"]["1"] = "off"
    assert t.lamps() == "1"
    assert t.station.truth["moves"]
