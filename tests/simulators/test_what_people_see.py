"""What a dealer reads off a panel, what a story tells of people, and how a terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_simulators.chance import seeded
from felt_simulators.cli.lines import wrapped
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.glance import Glance, on_panel
from felt_simulators.props import Props

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost


def test_a_dealer_reads_off_the_panel_what_to_do(listening: Callable[..., TrialHost]) -> None:
    panel = DealersPanel(PanelBuild(), seeded(7), 0.0)
    host = listening(panel, "dealers-panel")
    assert on_panel(panel) is None
    shown = {
        ("ROUND 3 CLOSED  START DEALER",): Glance(void=False, may_deal=False, count_left=False, start_seat=0),
        ("ROUND 3 DEALT  START 5", "SPREAD AND COUNT THE CARDS LEFT"): Glance(
            void=False, may_deal=False, count_left=True, start_seat=5
        ),
        ("ROUND 3 IS VOID", "HELD: device shoe-1"): Glance(
            void=True, may_deal=False, count_left=False, start_seat=None
        ),
    }
    for lines, glance in shown.items():
        host.show(("text", {"lines": list(lines)}))
        assert on_panel(panel) == glance
    host.show(("lamp", {"which": "deal", "pattern": "on"}))
    lit = on_panel(panel)
    assert lit is not None
    assert lit.may_deal


def test_a_panel_that_is_alone_helps_nobody(listening: Callable[..., TrialHost]) -> None:
    panel = DealersPanel(PanelBuild(), seeded(7), 0.0)
    host = listening(panel, "dealers-panel")
    host.show(("text", {"lines": ["ROUND 3 CLOSED"]}))
    host.station.line.close()
    panel.elapsed(host.now + 30.0)
    assert on_panel(panel) is None


def test_people_do_with_the_cards_what_they_say() -> None:
    props = Props({"red": "red", "blue": "blue"})
    props.follow("change-deck", {"deck": "red"})
    assert props.places()["red"] == {"hand": 53, "table": 0, "discard": 0, "withdrawn": 0}
    props.deliver(2, [props.hand["red"].pop() for _ in range(7)])
    props.follow("withdraw-card", {"deck": "red", "place": "table", "why": "bent"})
    assert props.places()["red"] == {"hand": 46, "table": 6, "discard": 0, "withdrawn": 1}
    props.follow("replace-card", {"deck": "red"})
    assert props.places()["red"] == {"hand": 47, "table": 6, "discard": 0, "withdrawn": 0}
    props.follow("withdraw-card", {"deck": "red", "place": "hand", "why": "bent"})
    props.follow("change-deck", {"deck": "red"})
    assert props.places()["red"] == {"hand": 53, "table": 0, "discard": 0, "withdrawn": 0}
    assert len(props.box) == 53


def test_a_long_line_goes_on_under_its_text() -> None:
    line = "19:35:27      RULING own rule: " + "The shuffler shows a red light and says no more. " * 2
    first, second = wrapped(line).splitlines()
    assert len(first) <= 100
    assert second.startswith(" " * 18 + "red light and")
    assert wrapped("19:35:27  Round 3") == "19:35:27  Round 3"
