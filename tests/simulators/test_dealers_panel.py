"""What a host hears of a dealer's panel, and what people see on it, held against what really happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Answered, Restarted
from felt_simulators.chance import seeded
from felt_simulators.cli.console import face
from felt_simulators.devices.contacts import Contact, Edge
from felt_simulators.devices.dealers_panel import ALONE, BUTTONS, DealersPanel, PanelBuild
from felt_simulators.devices.hands import Refused
from felt_simulators.faults import Fault, UnknownFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost

OFF = {"call": "off", "hold": "off", "deal": "off"}


class Table:
    """A panel and the host that listens to it."""

    def __init__(self, listening: Callable[..., TrialHost], *faults: str) -> None:
        self.panel = DealersPanel(PanelBuild(), seeded(7), 0.0)
        self.host = listening(self.panel, "dealers-panel")
        for fault in faults:
            self.panel.set_fault(Fault.parse(fault), self.host.now)

    @property
    def words(self) -> list[str]:
        """The names of what the host heard."""
        return [name for name, _ in self.host.heard]

    @property
    def presses(self) -> list[tuple[str, int, int]]:
        """Button, edges and how often it was told, of every press."""
        return [(p["button"], p["edges"], p["told"]) for p in self.panel.truth["presses"]]

    def sees(self) -> tuple[list[str], dict[str, str]]:
        """The lines that a person reads, and how the lamps shine."""
        return list(self.panel.display), dict(self.panel.lamps)

    def press(self, button: str) -> None:
        """Press a button and let it go."""
        self.panel.press(button, self.host.now)
        self.host.run(0.2)

    def show(self, *lines: str, **lamps: str) -> None:
        """Let the host wish this shown."""
        self.host.show(
            ("text", {"lines": list(lines)}),
            *(("lamp", {"which": name, "pattern": pattern}) for name, pattern in {**OFF, **lamps}.items()),
        )

    def answers(self) -> list[tuple[str, bool | None, str | None]]:
        """How the orders without a number were answered."""
        return [(item.name, item.ok, item.why) for item in self.host.items if isinstance(item, Answered)]


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    return lambda *faults: Table(listening, *faults)


def test_each_press_is_told_once(table: Callable[..., Table]) -> None:
    t = table()
    for button in BUTTONS:
        t.press(button)
    t.panel.press_report("cards-exposed", t.host.now)
    t.host.run(1.0)
    assert t.host.heard == [
        ("no_more_bets", {}),
        ("round_end", {}),
        ("new_dealer", {}),
        ("call_floor", {}),
        ("acknowledge", {}),
        ("report", {"what": "cards-exposed"}),
    ]
    assert {(edges, told) for _, edges, told in t.presses} == {(2, 1)}


def test_a_panel_is_never_inhibited(table: Callable[..., Table]) -> None:
    t = table()
    assert t.host.session.shown is not None
    assert (t.host.session.shown.inhibited, t.host.session.shown.state) == (False, "ready")
    with pytest.raises(UnknownFault, match="a dealers-panel cannot have the fault ignore-inhibit"):
        t.panel.set_fault(Fault("ignore-inhibit"), t.host.now)


def test_a_press_that_bounces_is_told_once(table: Callable[..., Table]) -> None:
    t = table("bounce")
    t.press("round-end")
    t.press("round-end")
    assert t.words == ["round_end", "round_end"]
    assert t.presses == [("round-end", 6, 1), ("round-end", 2, 1)]


def test_a_button_that_sticks_repeats_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table("stuck-button=500")
    t.press("no-more-bets")
    t.host.run(1.9)
    assert t.words == ["no_more_bets"] * 5
    with pytest.raises(Refused, match="dealers-panel: cannot press: it is still down"):
        t.panel.press("no-more-bets", t.host.now)
    t.press("call-floor")
    assert t.words.count("call_floor") == 1
    t.panel.repair(t.host.now)
    before = len(t.words)
    t.host.run(3.0)
    assert len(t.words) == before
    t.press("no-more-bets")
    assert t.words[before:] == ["no_more_bets"]


def test_a_button_that_sticks_comes_free_while_it_is_down(table: Callable[..., Table]) -> None:
    t = table("stuck-button=100")
    t.panel.press("acknowledge", t.host.now)
    t.panel.lift_fault("stuck-button", t.host.now)
    t.host.run(2.0)
    assert t.presses == [("acknowledge", 2, 1)]
    with pytest.raises(Refused, match="dealers-panel: cannot repair: nothing is broken"):
        t.panel.repair(t.host.now)


def test_two_buttons_go_down_together(table: Callable[..., Table]) -> None:
    t = table()
    t.panel.press("call-floor", t.host.now)
    t.panel.press("acknowledge", t.host.now)
    with pytest.raises(Refused, match="it is still down"):
        t.panel.press("call-floor", t.host.now)
    t.host.run(0.5)
    assert t.words == ["call_floor", "acknowledge"]


@pytest.mark.parametrize("button", ["report", "deal", ""])
def test_there_are_no_other_buttons(table: Callable[..., Table], button: str) -> None:
    t = table()
    with pytest.raises(Refused, match=r"it has no button .*; it has no-more-bets, round-end"):
        t.panel.press(button, t.host.now)
    assert t.presses == []


@pytest.mark.parametrize("word", ["", "Cards", "two words", "1st", "x" * 33])
def test_a_report_is_one_word(table: Callable[..., Table], word: str) -> None:
    t = table()
    with pytest.raises(Refused, match="cannot press report: what is reported is one word"):
        t.panel.press_report(word, t.host.now)
    assert t.presses == []


def test_a_button_of_a_panel_that_starts_does_nothing(table: Callable[..., Table]) -> None:
    t = table()
    t.panel.power_cycle(t.host.now)
    t.panel.press("call-floor", t.host.now)
    with pytest.raises(Refused, match="it is starting, and must be broken or ready"):
        t.panel.repair(t.host.now)
    t.host.run(5.0)
    assert t.words == []
    assert t.presses == [("call-floor", 2, 0)]
    assert any(isinstance(item, Restarted) for item in t.host.items)


def test_people_see_the_lines_and_lamps_that_were_asked_for(table: Callable[..., Table]) -> None:
    t = table()
    t.show("HOLD: wrong count", "Call the floor", hold="on", call="slow", deal="fast")
    assert t.sees()[0] == ["HOLD: wrong count", "Call the floor"]
    assert t.answers() == [("text", True, None)] + [("lamp", True, None)] * 3
    assert [t.panel.lit("hold", at) for at in (10.0, 10.3, 10.6, 10.9)] == [True] * 4
    assert [t.panel.lit("call", at) for at in (10.0, 10.3, 10.6, 10.9)] == [True, True, False, False]
    assert [t.panel.lit("deal", at) for at in (10.0, 10.13, 10.26, 10.38)] == [True, False, True, False]
    t.show()
    assert t.sees()[0] == []
    assert t.sees()[1] == OFF
    assert not t.panel.lit("hold", 10.0)


def test_what_is_shown_is_gone_when_it_starts_and_comes_back_from_the_host(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.show("Deal", deal="on")
    t.panel.power_cycle(t.host.now)
    assert t.sees() == ([], OFF)
    t.host.run(3.0)
    assert t.sees() == (["Deal"], {**OFF, "deal": "on"})
    texts = [order for order in t.panel.truth["orders"] if order["name"] == "text"]
    # A PING that meets the panel before it is welcomed is answered by a second HELLO.
    assert len(texts) in {2, 3}
    assert all((order["lines"], order["shown"]) == (["Deal"], True) for order in texts)


def test_a_panel_without_its_host_says_so_and_shows_nothing_old(table: Callable[..., Table]) -> None:
    t = table()
    t.show("Deal", deal="on")
    t.host.close()
    heard = t.host.now
    t.panel.elapsed(heard + 4.4)
    assert t.sees()[0] == ["Deal"]
    t.panel.elapsed(heard + 5.0)
    assert t.sees() == (list(ALONE), OFF)
    assert t.panel.truth["alone"] is True


def test_a_panel_whose_host_is_heard_again_shows_what_was_last_asked(table: Callable[..., Table]) -> None:
    t = table()
    t.show("Deal", deal="on")
    t.panel.set_fault(Fault("silent", 6), t.host.now)
    t.host.run(5.9)
    assert t.sees()[0] == list(ALONE)
    t.host.run(3.0)
    assert t.sees() == (["Deal"], {**OFF, "deal": "on"})


def test_a_dead_display_is_told_and_dark_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table()
    t.show("Deal", deal="on")
    t.panel.set_fault(Fault("dead-display"), t.host.now)
    t.host.settle()
    assert t.host.heard == [("fault", {"code": "display"})]
    t.show("Stop", hold="on")
    assert t.sees()[0] == []
    assert t.panel.lit("hold", t.host.now)
    assert ("text", False, "display") in t.answers()
    t.panel.set_fault(Fault("dead-display"), t.host.now)
    t.panel.repair(t.host.now)
    t.host.run(0.1)
    assert t.host.heard[1:] == [("cleared", {"code": "display"})]
    assert t.sees()[0] == ["Stop"]


def test_a_dead_display_is_told_again_when_the_panel_starts(table: Callable[..., Table]) -> None:
    t = table("dead-display")
    t.host.settle()
    t.panel.power_cycle(t.host.now)
    t.host.run(3.0)
    assert t.words == ["fault", "fault"]


def test_a_broken_panel_says_so_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table()
    t.show("Deal", deal="on")
    t.panel.set_fault(Fault("unusable", "board"), t.host.now)
    t.host.run(0.1)
    t.press("call-floor")
    assert t.host.heard == [("fault", {"code": "board"})]
    assert t.sees() == ([], OFF)
    t.show("Stop")
    assert t.answers()[-1] == ("lamp", False, "broken")
    t.panel.repair(t.host.now)
    t.host.run(0.1)
    assert t.words == ["fault", "cleared"]
    assert t.sees()[0] == ["Stop"]
    assert t.presses == [("call-floor", 2, 0)]


def test_a_panel_that_breaks_while_it_starts_says_so_when_it_has_started(table: Callable[..., Table]) -> None:
    t = table()
    t.panel.set_fault(Fault("reboot"), t.host.now)
    t.panel.set_fault(Fault("unusable", "board"), t.host.now)
    assert t.panel.truth["state"] == "starting"
    t.host.run(3.0)
    assert t.panel.truth["state"] == "broken"
    assert t.host.heard == [("fault", {"code": "board"})]


def test_the_truth_is_plain_json_and_a_copy(table: Callable[..., Table]) -> None:
    t = table("bounce")
    t.show("Deal")
    t.press("round-end")
    truth: Any = t.panel.truth
    assert truth["faults"] == [{"name": "bounce", "value": None, "at": 1.0}]
    assert truth["presses"] == [{"button": "round-end", "what": "", "at": 1.0, "edges": 6, "told": 1}]
    truth["presses"].clear()
    truth["lamps"]["deal"] = "on"
    assert t.presses
    assert t.sees()[1] == OFF


def test_the_face_of_a_panel_is_text(table: Callable[..., Table]) -> None:
    t = table()
    t.show("Call the floor", "x" * 40, call="fast")
    assert face(t.panel).splitlines() == [
        "+------------------------------------------+",
        "| Call the floor                           |",
        "| xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |",
        "+------------------------------------------+",
        "  call: fast  hold: off  deal: off",
    ]


def test_edges_less_than_30_ms_apart_are_one_press() -> None:
    contact = Contact()
    assert contact.moved(Edge(1.0, closes=True))
    assert not contact.moved(Edge(1.029, closes=True))
    assert not contact.moved(Edge(1.058, closes=True))
    assert not contact.moved(Edge(1.1, closes=False))
    assert not contact.moved(Edge(1.125, closes=True))
    assert contact.moved(Edge(1.16, closes=True))
