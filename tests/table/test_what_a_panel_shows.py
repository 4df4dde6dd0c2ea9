"""What the dealer's panel shows: its lines, and its lamps."""

from __future__ import annotations

import pytest

from felt_daemon.table.dealers_panel import panel as shown
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, panel, person

from .felt import DEALER, FAMILIES, PACK, Felt, setup_of


@pytest.fixture
def felt() -> Felt:
    """An open table with a dealer's panel."""
    table = Felt(setup=setup_of(devices={**FAMILIES, "panel-1": "dealers-panel"}))
    table.open()
    return table


def text(felt: Felt) -> tuple[str, ...]:
    """The lines of the panel."""
    return shown(PACK, felt.state)[0]


def lamps(felt: Felt) -> dict[str, str]:
    """The lamps of the panel."""
    return shown(PACK, felt.state)[1]


def test_a_table_without_a_round_shows_its_state() -> None:
    felt = Felt()
    assert text(felt) == ("TABLE CLOSED",)
    felt.change_deck("red")
    assert text(felt) == ("TABLE OPENS",)
    assert lamps(felt) == {"call": "off", "hold": "off", "deal": "off"}


def test_a_round_shows_its_phase_its_start_and_whether_it_may_be_dealt(felt: Felt) -> None:
    assert text(felt) == ("ROUND 1 BETTING",)
    felt.tell(person.BetsClosed(by=DEALER))
    assert (text(felt), lamps(felt)["deal"]) == (("ROUND 1 CLOSED",), "off")
    felt.start_position()
    assert (text(felt), lamps(felt)["deal"]) == (("ROUND 1 CLOSED  START 2",), "on")
    felt.deal(7)
    assert lamps(felt)["deal"] == "off"


def test_a_start_at_the_dealer_is_shown_in_words(felt: Felt) -> None:
    felt.start_position(2, 3, 3)
    assert text(felt)[0] == "ROUND 1 BETTING  START DEALER"


def test_cards_spread_are_shown_so(felt: Felt) -> None:
    felt.report("cards-spread")
    assert text(felt) == ("CARDS SPREAD",)


def test_a_void_round_shows_what_is_held_and_what_to_do_in_few_words(felt: Felt) -> None:
    felt.ready_to_deal()
    felt.tell(card.ShoeJammed(device="shoe-1"))
    felt.tell(panel.PanelPressed(device="panel-1", button="call-floor", report=""))
    assert text(felt) == (
        "ROUND 1 IS VOID",
        "HELD: device shoe-1, deck red",
        "FLOOR IS CALLED",
        "VOID: RETURN ALL WAGERS",
        "TAKE CARDS OUT OF SHOE",
        "RESHUFFLE",
    )
    # The permit was given before; nobody may deal by it any more.
    assert lamps(felt) == {"call": "slow", "hold": "fast", "deal": "off"}


def void_by_three_left(felt: Felt) -> None:
    """Let the dealer count three cards where the shoe counted four."""
    felt.ready_to_deal()
    felt.deal()
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    felt.command(commands.CountCards(deck=felt.round.deck, count=3, part="remaining"), "dealer")


def test_a_table_that_plays_on_does_not_read_that_the_round_is_void(felt: Felt) -> None:
    void_by_three_left(felt)
    assert text(felt)[-3:] == (
        "VOID: RETURN ALL WAGERS",
        "COUNT HANDS, REPORT A WRONG ONE",
        "NO HAND WRONG: DECK LEAVES",
    )
    felt.command(commands.ReleaseRound())
    # The hands cannot be counted any more. The deck is still to be taken away; that trouble is not over.
    assert text(felt) == ("ROUND 2 BETTING", "HELD: deck red", "NO HAND WRONG: DECK LEAVES")
    felt.command(commands.CloseTable())
    assert text(felt) == ("TABLE CLOSED", "HELD: deck red", "NO HAND WRONG: DECK LEAVES")


def test_a_table_whose_hands_were_counted_does_not_read_that_they_are_to_be(felt: Felt) -> None:
    void_by_three_left(felt)
    felt.command(commands.Report(what="wrong-number"), "dealer")
    assert "VOID: RETURN ALL WAGERS" in text(felt)
    assert not [line for line in text(felt) if "HANDS" in line or "LEAVES" in line]


def test_a_round_that_is_void_for_something_else_does_not_ask_for_the_hands_of_an_earlier_one(
    felt: Felt,
) -> None:
    void_by_three_left(felt)
    felt.command(commands.ReleaseRound())
    felt.to_shoe()
    felt.ready_to_deal()
    felt.deal(6)
    assert text(felt)[0] == "ROUND 2 IS VOID"
    assert "COUNT HANDS, REPORT A WRONG ONE" not in text(felt)


def test_a_later_round_that_is_void_asks_for_its_wagers_again(felt: Felt) -> None:
    void_by_three_left(felt)
    felt.command(commands.ReleaseRound())
    felt.to_shoe()
    assert "VOID: RETURN ALL WAGERS" not in text(felt)
    void_by_three_left(felt)
    assert text(felt)[0] == "ROUND 2 IS VOID"
    assert "VOID: RETURN ALL WAGERS" in text(felt)


def test_a_device_that_was_covered_is_not_to_be_covered_again(felt: Felt) -> None:
    felt.tell(device.DeviceFaulted(device="shoe-1", code="motor"))
    assert text(felt)[-2:] == ("COVER DEVICE OR PUT SIGN ON IT", "CALL FLOOR")
    felt.command(commands.Sign(device="shoe-1", sign="covered"))
    assert text(felt)[-1] == "CALL FLOOR"
    assert "COVER DEVICE OR PUT SIGN ON IT" not in text(felt)
    felt.command(commands.Sign(device="shoe-1", sign="removed"))
    assert "COVER DEVICE OR PUT SIGN ON IT" in text(felt)


def test_a_stopped_shoe_may_not_be_dealt_from_although_its_permit_was_given() -> None:
    felt = Felt(setup=setup_of(told={"no-more-bets": "advice"}))
    felt.open()
    felt.start_position()
    assert lamps(felt)["deal"] == "on"
    felt.tell(card.ShoeJammed(device="shoe-1"))
    assert (felt.round.void, lamps(felt)["deal"]) == ("", "off")


def test_a_roll_that_is_none_puts_the_lamp_of_the_deal_out_although_its_permit_was_given(felt: Felt) -> None:
    felt.ready_to_deal()
    assert lamps(felt)["deal"] == "on"
    felt.report("dice-not-flat", device="shaker-1")
    assert (text(felt)[:2], lamps(felt)["deal"]) == (("ROUND 1 CLOSED", "HELD: table t-1"), "off")
    felt.start_position()
    assert lamps(felt) == {"call": "off", "hold": "off", "deal": "on"}


def test_the_lamp_of_holds_says_whether_they_were_seen_and_are_owned(felt: Felt) -> None:
    felt.tell(device.DeviceLost(device="shaker-1", why="silent"))
    # It only advises, and keeps nothing from being done.
    assert (lamps(felt)["hold"], text(felt)) == ("off", ("ROUND 1 BETTING", "CHECK CABLE AND POWER"))
    felt.tell(device.LightShown(device="shuffler-1", colour="red"))
    assert lamps(felt)["hold"] == "fast"
    felt.tell(panel.PanelPressed(device="panel-1", button="acknowledge", report=""))
    assert lamps(felt)["hold"] == "slow"
    felt.command(commands.Acknowledge(hold=2))
    assert lamps(felt)["hold"] == "on"


def test_what_only_tells_is_among_what_is_to_be_done(felt: Felt) -> None:
    felt.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    assert text(felt) == ("ROUND 1 BETTING", "STAY WITH SHAKER", "CALL FLOOR")


def test_a_panel_has_eight_lines_of_forty_characters(felt: Felt) -> None:
    felt.ready_to_deal()
    felt.deal(7)
    felt.tell(
        deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"),
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        device.DeviceFaulted(device="shoe-1", code="motor"),
        device.DeviceLost(device="shaker-1", why="silent"),
        card.ShoeJammed(device="shoe-1"),
    )
    lines = text(felt)
    assert len(lines) == 8
    assert max(map(len, lines)) <= 40
    assert lines[1] == "HELD: deck blue, deck red +2"


def test_a_directive_without_few_words_is_shown_by_its_name(felt: Felt) -> None:
    felt.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    pack = PACK.model_copy(update={"brief": {}})
    assert shown(pack, felt.state)[0] == ("ROUND 1 BETTING", "stay with shaker", "call floor")
