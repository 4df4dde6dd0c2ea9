"""What a host hears of a hole-card reader over a real line, held against the cards that really lay there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, NotUnderstood, Restarted, Unconfirmed
from felt_simulators.cards import RANKS, new_deck
from felt_simulators.chance import seeded
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.hole_card_reader import HANDS, HoleCardReader, ReaderBuild, State
from felt_simulators.faults import Fault, UnknownFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.cards import Card
    from felt_simulators.trial import TrialHost

CARDS = {card.code: card for card in new_deck("a", "red", "table-1").cards}
OPEN_TO_ALL = ReaderBuild(shutter=False, shows_value=True)


class Table:
    """A reader and the host that listens to it."""

    def __init__(
        self, listening: Callable[..., TrialHost], *faults: str, build: ReaderBuild | None = None
    ) -> None:
        self.reader = HoleCardReader(build or ReaderBuild(), seeded(7), 0.0)
        self.host = listening(self.reader, "hole-card-reader")
        for fault in faults:
            self.reader.set_fault(Fault.parse(fault), self.host.now)

    def insert(self, card: str, up_card: str) -> None:
        """Put a card in under this up card, and wait for the answer."""
        self.reader.insert(CARDS[card], CARDS[up_card], self.host.now)
        self.host.run(0.5)

    def remove(self) -> Card:
        """Take the card out."""
        card = self.reader.remove(self.host.now)
        self.host.settle()
        return card

    def fault(self, text: str) -> None:
        """Put a fault in."""
        self.reader.set_fault(Fault.parse(text), self.host.now)
        self.host.settle()

    @property
    def words(self) -> list[str]:
        """The names of what the host heard."""
        return [name for name, _ in self.host.heard]

    @property
    def readings(self) -> list[dict[str, Any]]:
        """The truth of every card that was put in."""
        readings: list[dict[str, Any]] = self.reader.truth["readings"]
        return readings

    @property
    def shown(self) -> tuple[str, bool, str | None]:
        """State, whether it is inhibited and why, as PONG shows them."""
        self.host.run(0.6)
        shown = self.host.session.shown
        assert shown is not None
        return shown.state, shown.inhibited, shown.why

    def answers(self) -> list[tuple[str, bool | None, str | None]]:
        """How the numbered orders were answered."""
        return [(item.name, item.ok, item.why) for item in self.host.items if isinstance(item, Answered)]


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(*faults: str, build: ReaderBuild | None = None) -> Table:
        return Table(listening, *faults, build=build)

    return make


@pytest.fixture
def permitted(table: Callable[..., Table]) -> Callable[..., Table]:
    """A reader whose slot is open."""

    def make(*faults: str, build: ReaderBuild | None = None) -> Table:
        made = table(*faults, build=build)
        made.host.order("permit")
        return made

    return make


def test_it_powers_up_inhibited_and_its_slot_is_shut(table: Callable[..., Table]) -> None:
    t = table()
    assert t.shown == ("empty", True, "power-up")
    with pytest.raises(Refused) as refusal:
        t.insert("AS", "KH")
    assert str(refusal.value) == (
        "hole-card-reader: cannot insert: its slot is shut: it is inhibited: power-up"
    )
    assert (t.words, t.readings) == ([], [])


def test_672a_7_g_an_ace_under_a_ten_is_a_blackjack(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("AS", "KH")
    assert t.host.heard == [("inserted", {}), ("result", {"blackjack": True})]
    assert t.shown == ("holding", False, None)
    assert t.remove() is CARDS["AS"]
    assert t.words[2:] == ["removed"]
    assert t.readings == [
        {
            "at": 1.0,
            "up_card": "ten",
            "blackjack": True,
            "permitted": True,
            "told": "yes",
            "removed_at": t.host.now,
        }
    ]


TENS = {"T", "J", "Q", "K"}


@pytest.mark.parametrize("rank", RANKS)
def test_under_an_ace_each_card_that_counts_ten_is_a_blackjack(
    permitted: Callable[..., Table], rank: str
) -> None:
    t = permitted()
    t.insert(f"{rank}C", "AH")
    assert t.host.named("result") == [{"blackjack": rank in TENS}]
    assert (t.readings[0]["up_card"], t.readings[0]["blackjack"]) == ("ace", rank in TENS)


def test_under_each_ten_only_an_ace_is_a_blackjack(permitted: Callable[..., Table]) -> None:
    t = permitted()
    for up in ("TH", "JH", "QH", "KH"):
        for hole in ("AC", "KC", "9C"):
            t.insert(hole, up)
            t.remove()
    assert [said["blackjack"] for said in t.host.named("result")] == [True, False, False] * 4
    assert [reading["blackjack"] for reading in t.readings] == [True, False, False] * 4


def test_no_byte_but_the_answer_tells_one_card_from_another(listening: Callable[..., TrialHost]) -> None:
    said: set[str] = set()
    for hole in ("KS", "TD"):
        t = Table(listening)
        t.host.order("permit")
        t.insert(hole, "AH")
        t.remove()
        said.add(json.dumps(t.host.heard))
    assert len(said) == 1


def test_665a_9_b_2_the_dealer_may_ask_twice_in_one_round(permitted: Callable[..., Table]) -> None:
    t = permitted()
    for _ in range(2):
        t.insert("9C", "KH")
        t.remove()
    assert t.words == ["inserted", "result", "removed"] * 2
    assert t.shown == ("empty", False, None)


@pytest.mark.parametrize("when", ["now", "after-round"])
def test_an_inhibit_shuts_the_slot_and_lets_the_card_out(permitted: Callable[..., Table], when: str) -> None:
    t = permitted()
    t.reader.insert(CARDS["AC"], CARDS["KH"], t.host.now)
    t.host.settle()
    t.host.inhibit("round-end", when)
    t.host.run(1.0)
    assert t.words == ["inserted", "result"]
    t.remove()
    with pytest.raises(Refused, match="its slot is shut: it is inhibited: round-end"):
        t.insert("9C", "KH")
    assert not any(isinstance(item, Unconfirmed) for item in t.host.items)


def test_a_lease_that_lapses_lights_a_lamp_and_stops_no_round(permitted: Callable[..., Table]) -> None:
    t = permitted()
    assert not t.reader.lamp
    t.host.session.renew = False
    t.host.run(6.0)
    assert t.reader.truth["lamp"] is True
    t.insert("AC", "KH")
    assert t.host.named("result") == [{"blackjack": True}]
    t.host.session.renew = True
    t.host.run(1.0)
    assert not t.reader.lamp


def test_another_permit_takes_the_place_of_the_one_before(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("9C", "KH")
    t.host.order("permit")
    t.host.run(0.5)
    assert t.answers() == [("permit", True, None)] * 2


def test_665a_13_h_1_a_reader_without_a_shutter_reads_while_it_is_inhibited(
    table: Callable[..., Table],
) -> None:
    t = table(build=OPEN_TO_ALL)
    t.insert("AC", "7H")
    assert t.words == ["inserted", "result"]
    assert t.shown == ("holding", True, "power-up")
    truth = t.reader.truth
    assert (truth["shutter"], truth["shows_value"]) == (False, True)
    reading = t.readings[0]
    assert (reading["up_card"], reading["blackjack"], reading["permitted"]) == ("other", False, False)
    # It sees the ace's mark and knows nothing of the seven.
    assert reading["told"] == "yes"


def test_whether_it_shows_the_value_is_known_to_the_house_and_not_to_the_line(
    listening: Callable[..., TrialHost],
) -> None:
    hellos = [
        Table(listening, build=ReaderBuild(shows_value=shows)).host.session.hello for shows in (True, False)
    ]
    assert [hello.capabilities for hello in hellos if hello is not None] == [("shutter",)] * 2
    bare = Table(listening, build=OPEN_TO_ALL).host.session.hello
    assert bare is not None
    assert bare.capabilities == ()


def test_a_shutter_that_fails_lets_one_card_in(table: Callable[..., Table]) -> None:
    t = table("shutter-open")
    t.insert("5C", "7H")
    t.remove()
    assert t.words == ["inserted", "result", "removed"]
    assert t.readings[0]["permitted"] is False
    with pytest.raises(Refused, match="its slot is shut"):
        t.insert("5C", "7H")


def test_a_card_taken_out_at_once_has_no_answer(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.reader.insert(CARDS["AC"], CARDS["KH"], t.host.now)
    t.host.run(0.3)
    assert t.reader.state is State.READING
    t.remove()
    t.host.run(1.0)
    assert t.words == ["inserted", "removed"]
    assert t.readings[0]["told"] is None


def test_a_card_that_cannot_be_read_is_told_with_a_word(permitted: Callable[..., Table]) -> None:
    t = permitted("unreadable=upside-down")
    t.insert("AC", "KH")
    t.remove()
    t.insert("AC", "KH")
    assert t.host.named("unreadable") == [{"why": "upside-down"}]
    assert [reading["told"] for reading in t.readings] == ["unreadable", "yes"]


@pytest.mark.parametrize(("hole", "told"), [("AC", False), ("9C", True)])
def test_a_wrong_answer_is_known_to_the_truth(permitted: Callable[..., Table], hole: str, told: bool) -> None:  # noqa: FBT001 - a table's column
    t = permitted("wrong-answer")
    t.insert(hole, "KH")
    assert t.host.named("result") == [{"blackjack": told}]
    assert t.readings[0]["blackjack"] is not told


def test_a_rank_that_is_offered_is_dropped_unread(permitted: Callable[..., Table]) -> None:
    t = permitted("leak-card")
    t.insert("AC", "KH")
    [dropped] = [item for item in t.host.items if isinstance(item, NotUnderstood)]
    assert dropped.why == "result has a key of its own"
    assert t.words == ["inserted"]


def test_a_card_that_sticks_comes_out_after_a_repair(permitted: Callable[..., Table]) -> None:
    t = permitted("stuck-card")
    t.insert("9C", "KH")
    assert t.host.heard[1:] == [
        ("result", {"blackjack": False}),
        ("fault", {"code": "stuck-card", "where": "slot"}),
    ]
    with pytest.raises(Refused, match="cannot remove: the card sticks"):
        t.remove()
    t.host.order("selftest")
    t.fault("stuck-card")
    assert t.words.count("fault") == 1
    t.reader.power_cycle(t.host.now)
    t.host.run(3.0)
    assert t.words.count("fault") == 2
    t.reader.repair(t.host.now)
    t.host.settle()
    assert t.host.named("cleared") == [{"code": "stuck-card"}]
    assert t.remove() is CARDS["9C"]
    assert t.answers()[1:] == [("selftest", False, "broken")]


def test_a_card_that_is_inside_sticks_at_once(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("9C", "KH")
    t.fault("stuck-card")
    assert t.words[-1] == "fault"


def test_the_case_is_watched_whatever_the_reader_does(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="its case is closed"):
        t.reader.close_case(t.host.now)
    t.reader.open_case(t.host.now)
    with pytest.raises(Refused, match="its case is open"):
        t.reader.open_case(t.host.now)
    t.host.order("selftest")
    t.fault("unusable=lens")
    t.reader.close_case(t.host.now)
    t.host.settle()
    assert t.host.named("tamper") == [{"open": True}, {"open": False}]
    assert t.answers() == [("selftest", False, "case-open")]
    assert [moved["open"] for moved in t.reader.truth["case"]] == [True, False]


def test_a_reader_that_starts_with_its_case_open_says_so(table: Callable[..., Table]) -> None:
    t = table()
    t.reader.power_cycle(t.host.now)
    t.reader.open_case(t.host.now)
    t.host.run(4.0)
    assert t.host.heard == [("tamper", {"open": True})]


def test_a_selftest_says_whether_the_reader_is_in_order(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.host.order("selftest")
    t.insert("9C", "KH")
    t.host.order("selftest")
    assert t.answers()[1:] == [("selftest", True, None), ("selftest", False, "card-inside")]


def test_665a_13_i_a_broken_reader_says_so_until_it_is_repaired(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.reader.insert(CARDS["AC"], CARDS["KH"], t.host.now)
    t.fault("unusable=lens")
    t.host.run(1.0)
    assert t.host.heard == [("inserted", {}), ("fault", {"code": "lens"})]
    assert t.shown[0] == "broken"
    t.host.order("permit")
    assert t.answers()[-1] == ("permit", False, "broken")
    assert t.remove() is CARDS["AC"]
    with pytest.raises(Refused, match="it is broken, and must be empty"):
        t.insert("AC", "KH")
    t.reader.repair(t.host.now)
    t.host.settle()
    assert t.host.heard[2:] == [("cleared", {"code": "lens"})]
    assert t.reader.state is State.EMPTY


def test_a_reader_that_breaks_while_it_starts_says_so_when_it_has_started(
    table: Callable[..., Table],
) -> None:
    t = table("reboot", "unusable=lens")
    assert t.reader.state is State.STARTING
    t.host.run(4.0)
    assert t.host.heard == [("fault", {"code": "lens"})]


def test_a_reboot_leaves_the_card_where_it_is_unread(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.reader.insert(CARDS["AC"], CARDS["KH"], t.host.now)
    t.host.settle()
    t.fault("reboot")
    t.host.run(4.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    assert t.words == ["inserted"]
    assert t.shown == ("holding", True, "power-up")
    assert t.remove() is CARDS["AC"]
    assert t.words == ["inserted", "removed"]


def test_a_card_may_be_taken_out_while_it_starts(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("AC", "KH")
    t.reader.power_cycle(t.host.now)
    assert t.remove() is CARDS["AC"]
    assert t.reader.state is State.STARTING
    t.host.run(4.0)
    assert t.shown[0] == "empty"


def test_what_a_silent_reader_saw_is_told_when_it_speaks(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.fault("silent")
    t.insert("AC", "KH")
    assert t.words == []
    t.reader.lift_fault("silent", t.host.now)
    t.host.run(2.0)
    assert t.words == ["inserted", "result"]


def test_a_reader_that_ignores_an_inhibit_stays_open(permitted: Callable[..., Table]) -> None:
    t = permitted("ignore-inhibit,lasting")
    t.host.inhibit("round-end", "now")
    t.host.run(1.0)
    assert any(isinstance(item, Unconfirmed) for item in t.host.items)
    t.insert("9C", "KH")
    assert t.words == ["inserted", "result"]


def test_the_card_lies_in_the_slot_for_those_who_may_see_all(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("AC", "KH")
    assert t.reader.places() == {"slot": (CARDS["AC"],)}
    t.remove()
    assert t.reader.places() == {"slot": ()}


def test_a_reader_takes_one_card_at_a_time(permitted: Callable[..., Table]) -> None:
    t = permitted()
    with pytest.raises(Refused, match="cannot remove: no card is in it"):
        t.remove()
    t.insert("AC", "KH")
    with pytest.raises(Refused, match="it is holding, and must be empty"):
        t.insert("9C", "KH")


@pytest.mark.parametrize("state", State, ids=lambda state: str(state.value))
def test_nothing_that_is_whole_is_repaired(table: Callable[..., Table], state: State) -> None:
    t = table()
    t.reader.state = state
    why = "nothing is broken" if state in HANDS["repair"] else f"it is {state.value}, and must be"
    with pytest.raises(Refused, match=f"cannot repair: {why}"):
        t.reader.repair(t.host.now)


def test_a_reader_has_no_faults_of_other_machines(table: Callable[..., Table]) -> None:
    with pytest.raises(UnknownFault, match="a hole-card-reader cannot have the fault jam"):
        table("jam")


def test_the_truth_of_a_reader_is_plain_json_and_names_no_card(permitted: Callable[..., Table]) -> None:
    t = permitted()
    t.insert("AC", "KH")
    truth: Any = t.reader.truth
    assert "AC" not in json.dumps(truth)
    truth["readings"].clear()
    assert t.readings
