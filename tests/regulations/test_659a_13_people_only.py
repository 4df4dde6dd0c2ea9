"""659a.13(c), (d), (e), (i), (j): what no device shows, reported at the dealer's panel or by a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import panel, person
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused

if TYPE_CHECKING:
    from .felt_bench import Bench

WAYS = pytest.mark.parametrize("way", ["panel", "command"])
VOID = ("return-wagers", "collect-cards", "reshuffle")


def release(bench: Bench) -> None:
    bench.command(commands.ReleaseRound())
    bench.rack += bench.felt
    bench.felt = []


@WAYS
@pytest.mark.rule("wrong-total")
def test_659a_13_c_a_wrong_total_and_a_first_card_to_the_wrong_position_void_the_round(
    dealing: Bench, way: str
) -> None:
    dealing.seen("wrong-total", way)
    ruling = dealing.only_ruling("wrong-total")
    assert (ruling.cite, ruling.directives, ruling.effect) == (("659a.13(c)",), VOID, "stop")
    assert dealing.state.round.void == "wrong-total"
    # The shoe is stopped, and the round waits until its cards are out.
    with pytest.raises(Refused):
        dealing.shoe.press_deal(dealing.now)
    assert "the cause is still there: shoe-1" in dealing.refused(commands.ReleaseRound())
    dealing.take_rest()
    release(dealing)
    assert dealing.rows_of(rounds.RoundClosed)[-1].outcome == "void"
    assert dealing.holds() == {("wrong-total", "red")}
    dealing.change_over()
    assert dealing.holds() == set()


@WAYS
@pytest.mark.rule("wrong-total-after-deal")
def test_659a_13_c_found_after_the_deal_voids_the_round_and_waits_for_no_shoe(
    opened: Bench, way: str
) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.seen("wrong-total", way)
    assert opened.only_ruling("wrong-total-after-deal").cite == ("659a.13(c)",)
    assert opened.state.round.void == "wrong-total-after-deal"
    # The shoe is empty: nobody waits for cards to come out of it.
    assert opened.holds() == {("wrong-total-after-deal", "red")}
    release(opened)
    opened.change_over()
    assert opened.holds() == set()
    opened.play_round()


@pytest.mark.rule("wrong-start")
def test_659a_13_c_a_wrong_start_from_anything_else_than_a_wrong_total_is_the_floors_to_decide(
    dealing: Bench,
) -> None:
    dealing.press("report", "wrong-start")
    ruling = dealing.only_ruling("wrong-start")
    assert (ruling.basis, ruling.cite, ruling.directives) == ("own", (), ("call-floor",))
    assert dealing.state.round.void == ""
    assert "CALL FLOOR" in dealing.shown()


@WAYS
@pytest.mark.rule("players-card-exposed")
def test_659a_13_d_a_players_exposed_card_leaves_the_hand_to_the_player(dealing: Bench, way: str) -> None:
    dealing.seen("players-card-exposed", way)
    ruling = dealing.only_ruling("players-card-exposed")
    assert (ruling.cite, ruling.directives) == (("659a.13(d)",), ("player-may-void",))
    assert dealing.state.round.void == ""
    assert "PLAYER MAY VOID HAND, NOT LOOKING" in dealing.shown()
    # The round goes its way, and nothing is held.
    dealing.deal(4)
    dealing.take_rest()
    assert dealing.state.phase == "playing"
    assert dealing.holds() == set()


@pytest.mark.rule("players-card-exposed")
def test_659a_13_d_which_players_hand_it_is_may_be_said(dealing: Bench) -> None:
    rows = dealing.report("players-card-exposed", seat=4)
    assert rows[0].event.seat == 4
    with pytest.raises(CommandRefused, match="there is no seat 7; seats are 1 to 6"):
        dealing.report("players-card-exposed", seat=7)


@WAYS
@pytest.mark.rule("dealers-card-exposed")
def test_659a_13_e_an_exposed_card_of_the_dealers_hand_voids_the_round(opened: Bench, way: str) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.seen("dealers-card-exposed", way)
    ruling = opened.only_ruling("dealers-card-exposed")
    assert (ruling.cite, ruling.directives) == (("659a.13(e)",), VOID)
    assert opened.state.round.void == "dealers-card-exposed"
    # Reported after the deal: no one waits for cards to come out of a shoe that is empty.
    release(opened)
    assert opened.holds() == {("dealers-card-exposed", "red")}
    opened.change_over()
    assert opened.holds() == set()


@pytest.mark.rule("dealers-card-exposed")
def test_659a_13_e_with_the_four_still_in_the_shoe_the_round_is_released_at_once(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.press("report", "dealers-card-exposed")
    release(opened)
    opened.take_rest()
    assert opened.holds() == {("dealers-card-exposed", "red")}
    opened.change_over()
    assert opened.holds() == set()


@WAYS
@pytest.mark.rule("dealers-hands-set-wrongly")
def test_659a_13_i_hands_that_the_dealer_set_wrongly_are_set_again_and_the_round_is_finished(
    opened: Bench, way: str
) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    opened.cover_and_shake_once()
    opened.seen("dealers-hands-set-wrongly", way)
    ruling = opened.only_ruling("dealers-hands-set-wrongly")
    assert (ruling.cite, ruling.directives) == (("659a.13(i)",), ("reset-hands",))
    assert "SET DEALER HANDS AGAIN, GO ON" in opened.shown()
    opened.end_round()
    assert opened.rows_of(rounds.RoundClosed)[-1].outcome == "completed"


@WAYS
@pytest.mark.rule("dealers-card-exposed-in-deal")
def test_659a_13_j_a_dealers_card_exposed_during_the_deal_returns_wagers_and_reshuffles(
    dealing: Bench, way: str
) -> None:
    dealing.seen("dealers-card-exposed", way)
    ruling = dealing.only_ruling("dealers-card-exposed-in-deal")
    assert (ruling.cite, ruling.directives, ruling.effect) == (("659a.13(j)",), VOID, "stop")
    with pytest.raises(Refused):
        dealing.shoe.press_deal(dealing.now)
    dealing.take_rest()
    release(dealing)
    dealing.change_over()
    assert dealing.holds() == set()
    dealing.play_round()


# ---- what a press is -------------------------------------------------------------------------------------


@pytest.mark.rule("dealers-card-exposed-in-deal")
def test_a_press_is_a_row_and_the_report_that_comes_of_it_is_the_dealers(dealing: Bench) -> None:
    dealing.command(commands.NewDealer(dealer="Bo"), "dealer")
    dealing.press("report", "dealers-card-exposed")
    [pressed] = [row for row in dealing.rows if isinstance(row.event, panel.PanelPressed)]
    [told] = [row for row in dealing.rows if isinstance(row.event, person.Reported) and row.seq > pressed.seq]
    assert told.cause == pressed.seq
    assert told.event.by == person.Person(role="dealer", name="Bo", proof="panel")
    assert (told.event.report, told.event.round, told.event.device) == ("dealers-card-exposed", 1, "shoe-1")


@pytest.mark.rule("dealers-card-exposed-in-deal")
def test_a_bouncing_button_is_one_press_and_a_second_press_of_a_void_round_is_refused(dealing: Bench) -> None:
    dealing.fault("panel-1", "bounce")
    dealing.press("report", "dealers-card-exposed")
    dealing.press("report", "dealers-card-exposed")
    dealing.only_ruling("dealers-card-exposed-in-deal")
    assert [one["edges"] for one in dealing.panel.truth["presses"]] == [6, 2]
    [refused] = dealing.rows_of(person.CommandRejected)
    assert (refused.way, refused.request) == ("panel", "dealers-card-exposed")
    assert "no card of this round is dealt, or the round is void" in refused.reason


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("wrong-total", "no card of this round is dealt"),
        ("players-card-exposed", "no card of this round is dealt"),
        ("dealers-card-exposed", "no card of this round is dealt"),
        ("dealers-hands-set-wrongly", "no hands are set"),
        ("card-face-up", "no cards are being dealt"),
        ("wrong-number", "no card of this round is dealt"),
        ("dealers-card-exposd", "did you mean dealers-card-exposed?"),
    ],
)
def test_a_report_of_what_cannot_be_is_refused_and_kept(opened: Bench, what: str, says: str) -> None:
    opened.press("report", what)
    [refused] = opened.rows_of(person.CommandRejected)
    assert says in refused.reason
    assert refused.by is not None
    assert refused.by.role == "dealer"
    assert opened.rulings() == []


@pytest.mark.parametrize("role", ["tech", "floor-system"])
def test_what_only_people_at_the_table_see_is_reported_by_nobody_else(dealing: Bench, role: str) -> None:
    with pytest.raises(CommandRefused, match="is reported by dealer, floor; you are"):
        dealing.report("dealers-card-exposed", role)


def test_what_was_pressed_while_nobody_listened_is_refused_and_not_done(opened: Bench) -> None:
    opened.unplug("panel-1")
    opened.panel.press("no-more-bets", opened.now)
    opened.run(20.0)
    opened.plug("panel-1")
    opened.run(10.0)
    [refused] = opened.rows_of(person.CommandRejected)
    assert refused.reason == "it was pressed while nobody listened; press it again"
    assert opened.state.phase == "betting"
