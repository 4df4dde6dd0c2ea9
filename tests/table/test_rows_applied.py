"""What each row does to the state, and that rows about what a state does not know leave it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.table import evolve
from felt_daemon.table.changes import changed
from felt_protocols.events import (
    Event,
    Row,
    card,
    deck,
    device,
    draw,
    incident,
    person,
    ruling,
    system,
)
from felt_protocols.events import round as rounds

from .felt import FLOOR, connected, moment

if TYPE_CHECKING:
    from felt_daemon.table import State

    from .felt import Felt


def after(state: State, event: Event, second: int = 900) -> State:
    """The state after one row more."""
    return evolve(state, Row("t-1", state.seq + 1, event, moment(second)))


def unchanged(state: State, event: Event) -> bool:
    """Whether the row does no more than count."""
    return after(state, event) == changed(state, seq=state.seq + 1)


HOLD: dict[str, Any] = {
    "incident": 8,
    "hold": 5,
    "row": "red-light",
    "index": 0,
    "cause": True,
    "subject": "deck",
    "subject_id": "red",
    "gates": ("deal",),
    "stops": "",
    "until": "it is over",
}

UNKNOWN: list[Event] = [
    connected("ghost-9"),
    device.DeviceRestarted(device="ghost-9", device_boot="b", previous_boot="a"),
    device.DeviceRefused(device="ghost-9", why="serial"),
    device.DeviceDrained(device="ghost-9", upto=3, n=4),
    device.DeviceStale(device="ghost-9", silent_ms=1500),
    device.DeviceLost(device="ghost-9", why="silent"),
    device.DeviceBack(device="ghost-9"),
    device.DeviceFaulted(device="ghost-9", code="motor"),
    device.DeviceCleared(device="ghost-9"),
    device.DoorMoved(device="ghost-9", open=True),
    device.LightShown(device="ghost-9", colour="red"),
    device.OrderAnswered(device="shoe-1", order=77, result="done"),
    device.OrderIssued(device="ghost-9", order="permit", args={}, gate="deal", key="1"),
    deck.DeckLoaded(device="ghost-9", batch=1),
    deck.ShuffleStarted(device="ghost-9", batch=1),
    deck.ShuffleCompleted(device="ghost-9", batch=1, mode="shuffle", count=53),
    deck.ShuffleInterrupted(device="ghost-9", batch=1, why="jam"),
    deck.DeckUnloaded(device="ghost-9", batch=1),
    deck.BatchMapped(device="ghost-9", batch=1, deck="red", proved=False, how="guessed"),
    deck.BatchMapped(device="shuffler-1", batch=1, deck="green", proved=False, how="guessed"),
    deck.ShoeMapped(device="shoe-1", deck="green", proved=False, how="guessed"),
    deck.CardsMoved(deck="green", count=7, source="shoe", target="table"),
    person.DeckChanged(by=FLOOR, deck="green"),
    person.DeckCounted(by=FLOOR, deck="green", count=53, part="deck"),
    person.HoldAcknowledged(by=FLOOR, hold=77),
    incident.IncidentJoined(incident=77, times=2),
    incident.IncidentClosed(incident=77, rounds=0, hands=0),
    incident.HoldCauseGone(incident=77, hold=77),
    incident.HoldEnded(incident=77, hold=77, how="observed", rounds=0, hands=0),
    ruling.RulingMade(
        row="red-light",
        cite=(),
        basis="own",
        effect="advise",
        subject="deck",
        subject_id="red",
        says="It is red.",
        directives=(),
        incident=77,
        shown_until=("round-closed",),
    ),
    deck.DeckMarked(deck="green", mark="washed"),
    incident.HoldEscalated(incident=77, hold=77, step="floor"),
    device.ServiceEnded(device="ghost-9"),
    device.InspectionDue(device="ghost-9", day="2030-05-01", cite=(), says="Look at it."),
    deck.CompositionJudged(deck="ghost", right=False),
    person.Inspected(by=FLOOR, device="ghost-9", result="in-order"),
    person.SignMoved(by=FLOOR, device="ghost-9", sign="covered"),
    person.ServiceBegun(by=FLOOR, device="ghost-9", why="a new belt"),
    person.ServiceEnding(by=FLOOR, device="ghost-9"),
    person.DeviceRetired(by=FLOOR, device="ghost-9"),
    person.DeviceAccepted(by=FLOOR, device="ghost-9", serial="s-1"),
    person.TroubleSeen(by=FLOOR, holds=(77,)),
    system.TimerDue(timer="none", overdue_s=0),
    system.TimerUnknown(timer="none"),
    system.TimerCancelled(timer="none"),
    # Rows that no state depends on.
    system.Stopped(why="stopped"),
    system.ClockTrusted(),
    deck.InsideCounted(device="shuffler-1", count=40),
    device.InhibitFound(device="shoe-1", why="key"),
]


@pytest.mark.parametrize("event", UNKNOWN, ids=lambda event: event.what())
def test_a_row_about_what_the_state_does_not_know_leaves_it_alone(opened: Felt, event: Event) -> None:
    opened.ready_to_deal()
    assert unchanged(opened.state, event)


OF_A_ROUND: list[Event] = [
    rounds.PhaseChanged(round=1, phase="closed"),
    rounds.RoundVoided(round=1, row="shoe-jam"),
    rounds.RoundClosed(round=1, outcome="completed", hands=6),
    rounds.CardsDealt(round=1, deck="red", cards=49),
    draw.StartPositionSet(round=1, total=10, count=3, seat=5),
    draw.StartPositionWithdrawn(round=1, row="dice-not-flat"),
    incident.IncidentJoined(incident=77, times=2),
    person.Reported(by=FLOOR, report="card-face-up"),
    card.StackDispensed(device="shoe-1", size=7),
    card.CardDrawn(device="shoe-1", face_up=True),
    card.ShoeUnloaded(device="shoe-1", count=4),
    draw.ShakerShaken(device="shaker-1"),
    draw.ShakerCovered(device="shaker-1"),
    draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True),
    person.BetsClosed(by=FLOOR),
    person.DeckCounted(by=FLOOR, deck="red", count=4, part="remaining"),
    deck.ShoeMapped(device="shoe-1", deck="red", proved=True, how="the only one"),
]


@pytest.mark.parametrize("event", OF_A_ROUND, ids=lambda event: event.what())
def test_a_row_about_a_round_leaves_a_table_without_one_alone(felt: Felt, event: Event) -> None:
    assert unchanged(felt.state, event)


def test_a_device_is_awaited_connected_ready_stale_back_and_lost(felt: Felt) -> None:
    state = felt.state
    seen = [state.devices["shoe-1"].link]
    for event in (
        connected("shoe-1"),
        device.DeviceDrained(device="shoe-1", upto=0),
        device.DeviceStale(device="shoe-1", silent_ms=1500),
        device.DeviceBack(device="shoe-1"),
        device.DeviceLost(device="shoe-1", why="silent"),
        # Lost is more than silent: it says HELLO before it counts again.
        device.DeviceBack(device="shoe-1"),
        connected("shoe-1", same_boot=True),
    ):
        state = after(state, event)
        seen.append(state.devices["shoe-1"].link)
    assert seen == ["awaiting", "connected", "ready", "stale", "ready", "lost", "lost", "connected"]


@pytest.mark.parametrize(
    "event", [device.DeviceRefused(device="shoe-1", why="serial"), device.OrderLeaked(device="shoe-1")]
)
def test_a_refused_device_is_not_listened_to_so_that_its_silence_says_nothing(
    felt: Felt, event: Event
) -> None:
    state = after(felt.state, event)
    state = after(state, device.DeviceLost(device="shoe-1", why="silent"))
    assert state.devices["shoe-1"].link == "refused"
    assert after(state, connected("shoe-1")).devices["shoe-1"].link == "connected"


def test_a_new_run_awaits_every_device_again(opened: Felt) -> None:
    assert {one.link for one in opened.state.devices.values()} == {"ready"}
    opened.start()
    assert {one.link for one in opened.state.devices.values()} == {"awaiting"}


def test_what_a_device_says_of_itself_is_kept(felt: Felt) -> None:
    one = after(felt.state, connected("shoe-1", "00000000000000b2")).devices["shoe-1"]
    assert (one.boot, one.model, one.serial, one.firmware, one.digest) == (
        "00000000000000b2",
        "m",
        "s-1",
        "1.0",
        "0",
    )


def test_the_last_event_of_a_device_is_kept_for_its_boot(felt: Felt) -> None:
    state = after(felt.state, card.ShoeEmptied(device="shoe-1", n=12))
    assert state.devices["shoe-1"].last_n == 12
    assert after(state, connected("shoe-1", same_boot=True)).devices["shoe-1"].last_n == 12
    assert after(state, connected("shoe-1")).devices["shoe-1"].last_n == 0
    assert after(state, person.TableClosed(by=FLOOR, n=3)).devices == state.devices


def test_a_restart_forgets_what_the_device_had_in_memory_and_its_permits(opened: Felt) -> None:
    opened.ready_to_deal()
    assert set(opened.state.grants) == {"shuffle/shuffler-1", "deal/shoe-1"}
    state = after(opened.state, device.DeviceFaulted(device="shoe-1", code="motor", where="drive"))
    state = after(state, card.ShoeJammed(device="shoe-1"))
    state = after(state, device.DeviceRestarted(device="shoe-1", device_boot="b", previous_boot="a"))
    one = state.devices["shoe-1"]
    assert (one.boot, one.last_n, one.jam, one.faults, one.working) == ("b", 0, "", {}, False)
    assert set(state.grants) == {"shuffle/shuffler-1"}


def test_a_fault_is_cleared_by_its_code_and_a_jam_without_one(felt: Felt) -> None:
    state = felt.state
    for event in (
        device.DeviceFaulted(device="shoe-1", code="motor", where="drive"),
        device.DeviceFaulted(device="shoe-1", code="sensor"),
        card.ShoeJammed(device="shoe-1"),
    ):
        state = after(state, event)
    assert (state.devices["shoe-1"].jam, state.devices["shoe-1"].faults) == (
        "jam",
        {"motor": "drive", "sensor": ""},
    )
    state = after(state, device.DeviceCleared(device="shoe-1", code="motor"))
    assert (state.devices["shoe-1"].jam, state.devices["shoe-1"].faults) == ("jam", {"sensor": ""})
    state = after(state, device.DeviceCleared(device="shoe-1"))
    assert (state.devices["shoe-1"].jam, state.devices["shoe-1"].faults) == ("", {"sensor": ""})


@pytest.mark.parametrize(
    ("event", "jam"),
    [
        (card.ShoeJammed(device="shoe-1", where="exit"), "exit"),
        (card.ShoeJammed(device="shoe-1"), "jam"),
        (card.ShoeStopped(device="shoe-1"), "stopped"),
    ],
)
def test_a_shoe_that_stops_says_where(felt: Felt, event: Event, jam: str) -> None:
    assert after(felt.state, event).devices["shoe-1"].jam == jam


def test_doors_and_lights_are_shown_as_they_are(felt: Felt) -> None:
    state = after(felt.state, device.DoorMoved(device="shoe-1", open=True))
    state = after(state, device.LightShown(device="shoe-1", colour="amber"))
    assert (state.devices["shoe-1"].door_open, state.devices["shoe-1"].light) == (True, "amber")


def test_an_answer_is_kept_with_the_order_that_it_answers(opened: Felt) -> None:
    opened.ready_to_deal()
    grant = opened.state.grants["deal/shoe-1"]
    state = after(opened.state, device.OrderAnswered(device="shoe-1", order=grant.order, result="done"))
    assert state.grants["deal/shoe-1"].result == "done"
    assert state.grants["shuffle/shuffler-1"].result == "open"


def test_a_shuffle_is_under_way_from_its_start_to_its_end_and_a_broken_one_shuffles_nothing(
    felt: Felt,
) -> None:
    felt.change_deck("red", "blue")
    felt.load()
    seen: list[tuple[bool, bool, bool, str]] = []
    state = felt.state
    for event in (
        deck.ShuffleStarted(device="shuffler-1", batch=1),
        deck.ShuffleCompleted(device="shuffler-1", batch=1, mode="shuffle", count=53),
        deck.ShuffleStarted(device="shuffler-1", batch=1),
        deck.ShuffleInterrupted(device="shuffler-1", batch=1, why="stopped"),
    ):
        state = after(state, event)
        one = state.devices["shuffler-1"]
        seen.append((one.working, one.done, state.decks["red"].shuffled, one.jam))
    assert seen == [
        (True, False, False, ""),
        (False, True, True, ""),
        (True, True, False, ""),
        (False, True, False, "stopped"),
    ]


@pytest.mark.parametrize(
    ("mode", "count", "shuffled", "known"),
    [
        ("shuffle", 53, True, "count verified"),
        ("shuffle", 52, True, "wrong"),
        ("shuffle", None, True, "not verified"),
        ("sort", 53, False, "count verified"),
    ],
)
def test_a_finished_cycle_says_whether_it_shuffled_and_what_it_counted(
    felt: Felt,
    mode: str,
    count: int | None,
    shuffled: bool,  # noqa: FBT001 - a row of a table
    known: str,
) -> None:
    felt.change_deck("red")
    felt.load()
    event = deck.ShuffleCompleted.model_validate(
        {"device": "shuffler-1", "batch": 1, "mode": mode, "count": count}
    )
    about = after(felt.state, event).decks["red"]
    assert (about.shuffled, about.count) == (shuffled, known)


def test_a_deck_that_the_shuffler_guesses_leaves_both_unproved_and_a_proved_one_itself(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    guess = deck.BatchMapped(device="shuffler-1", batch=1, deck="red", proved=False, how="guessed")
    state = after(felt.state, guess)
    assert {name: one.proved for name, one in state.decks.items()} == {"red": False, "blue": False}
    state = after(state, guess.model_copy(update={"proved": True}))
    assert {name: one.proved for name, one in state.decks.items()} == {"red": True, "blue": False}


def test_the_deck_of_a_round_is_the_one_in_the_shoe_until_its_first_card(opened: Felt) -> None:
    guess = deck.ShoeMapped(device="shoe-1", deck="blue", proved=False, how="guessed")
    state = after(opened.state, guess)
    assert state.round is not None
    assert state.round.deck == "blue"
    assert not any(one.proved for one in state.decks.values())
    opened.deal(7)
    assert opened.round.deck == "red"
    state = after(opened.state, guess)
    assert state.round is not None
    assert state.round.deck == "red"
    move = deck.CardsMoved(deck="blue", count=7, source="shuffler", target="table")
    state = after(state, move)
    assert state.round is not None
    assert state.round.deck == "red"


def test_cards_that_go_to_the_table_of_a_table_without_a_round_make_no_round(felt: Felt) -> None:
    felt.change_deck("red")
    state = after(felt.state, deck.CardsMoved(deck="red", count=7, source="hand", target="table"))
    assert state.round is None
    assert (state.decks["red"].places["hand"], state.decks["red"].places["table"]) == (46, 7)


def test_shakes_count_before_the_deal_and_one_after_it(opened: Felt) -> None:
    shake = draw.ShakerShaken(device="shaker-1")
    opened.tell(shake, shake)
    assert opened.round.shakes == 2
    opened.deal(7, 7, 7)
    opened.tell(shake)
    # In the middle of the deal it is neither: the text wants it after the last hand.
    assert (opened.round.shakes, opened.round.shaken_after_deal) == (2, False)
    opened.deal(7, 7, 7, 7)
    opened.tell(shake)
    assert (opened.round.shakes, opened.round.shaken_after_deal) == (2, True)


@pytest.mark.parametrize(
    ("faces", "flat", "inside", "total"),
    [
        ((1, 2, 3), True, True, 6),
        ((1, 0, 3), True, True, None),
        ((1, 2, 3), False, True, None),
        ((1, 2, 3), True, False, None),
    ],
)
def test_dice_have_a_total_when_all_of_them_lie_flat_inside_and_are_read(
    opened: Felt,
    faces: tuple[int, ...],
    flat: bool,  # noqa: FBT001 - a row of a table
    inside: bool,  # noqa: FBT001 - a row of a table
    total: int | None,
) -> None:
    opened.tell(draw.DiceRead(device="shaker-1", faces=faces, flat=flat, inside=inside))
    assert opened.round.total == total


def test_a_cover_ends_the_shakes_of_a_roll_that_determined_nothing(opened: Felt) -> None:
    opened.tell(draw.ShakerShaken(device="shaker-1"), draw.ShakerCovered(device="shaker-1"))
    assert opened.round.shakes == 0
    opened.start_position()
    opened.tell(draw.ShakerCovered(device="shaker-1"))
    assert opened.round.shakes == 3


def test_a_new_deck_is_whole_unshuffled_and_in_no_device(opened: Felt) -> None:
    opened.play_round()
    assert (opened.state.last_deck, opened.state.devices["shuffler-1"].deck) == ("red", "red")
    state = after(opened.state, person.DeckChanged(by=FLOOR, deck="red"))
    about = state.decks["red"]
    assert about.places == {"hand": 53, "shuffler": 0, "shoe": 0, "table": 0, "discard": 0, "withdrawn": 0}
    assert (about.present, about.shuffled, about.count, about.proved) == (True, False, "not verified", True)
    assert (state.last_deck, state.devices["shuffler-1"].deck) == ("", "")
    assert state.devices["shuffler-1"].batch is None
    state = after(opened.state, person.DeckChanged(by=FLOOR, deck="blue"))
    assert state.last_deck == "red"
    assert state.devices["shuffler-1"].deck == "red"


@pytest.mark.parametrize(("count", "known"), [(53, "count verified"), (52, "wrong")])
def test_a_count_by_hand_says_what_is_known_of_the_deck(felt: Felt, count: int, known: str) -> None:
    event = person.DeckCounted(by=FLOOR, deck="red", count=count, part="deck")
    assert after(felt.state, event).decks["red"].count == known


def test_a_round_without_a_card_does_not_count_for_alternation(opened: Felt) -> None:
    over = rounds.RoundClosed(round=1, outcome="void", hands=0)
    state = after(opened.state, over)
    assert (state.last_deck, state.decks["red"].last_round) == ("", 0)
    opened.deal(7)
    state = after(opened.state, over)
    assert (state.last_deck, state.decks["red"].last_round, state.round) == ("red", 1, None)


def test_a_hold_is_kept_with_its_time_until_it_ends(felt: Felt) -> None:
    state = after(felt.state, incident.HoldOpened(**HOLD), second=60)
    hold = state.holds[5]
    assert (hold.since.mono_ns, hold.cause, hold.owner, state.last_hold) == (60_000_000_000, True, "", 5)
    state = after(state, person.HoldAcknowledged(by=FLOOR, hold=5))
    assert state.holds[5].owner == "Ann"
    nobody = FLOOR.model_copy(update={"name": ""})
    assert after(state, person.HoldAcknowledged(by=nobody, hold=5)).holds[5].owner == "floor"
    state = after(state, incident.HoldCauseGone(incident=8, hold=5))
    assert state.holds[5].cause is False
    state = after(state, incident.HoldEnded(incident=8, hold=5, how="observed", rounds=0, hands=0))
    assert (state.holds, state.last_hold) == ({}, 5)


def test_an_incident_counts_rounds_and_hands_from_their_first_card(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    opened.play_round()
    opened.deal(7)
    (hold,) = opened.state.holds.values()
    (one,) = opened.state.incidents.values()
    assert (hold.rounds, hold.hands, one.rounds, one.hands) == (2, 12, 2, 12)


def test_a_single_card_is_a_rounds_first_card_too(opened: Felt) -> None:
    opened.tell(device.LightShown(device="shuffler-1", colour="red"))
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    opened.tell(card.CardDrawn(device="shoe-1", face_up=False))
    opened.deal(7)
    (hold,) = opened.state.holds.values()
    assert (hold.rounds, hold.hands) == (1, 6)
    assert (opened.round.cards, opened.round.hand, opened.state.decks["red"].places["table"]) == (7, 7, 7)


def test_a_timer_runs_until_it_falls_due_or_is_cancelled(felt: Felt) -> None:
    state = after(felt.state, system.TimerSet(timer="dice-age/shaker-1", after_s=86400), second=5)
    timer = state.timers["dice-age/shaker-1"]
    assert (timer.after_s, timer.since.mono_ns, timer.unknown) == (86400, 5_000_000_000, False)
    assert after(state, system.TimerUnknown(timer="dice-age/shaker-1")).timers["dice-age/shaker-1"].unknown
    assert after(state, system.TimerCancelled(timer="dice-age/shaker-1")).timers == {}
    assert after(state, system.TimerDue(timer="dice-age/shaker-1", overdue_s=0)).timers == {}


def test_a_notice_is_shown_until_what_takes_it_away(opened: Felt) -> None:
    opened.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    opened.tell(device.InterlockUnconfirmed(device="shoe-1", after_ms=500))
    assert [one.row for one in opened.round.notices] == ["shaker-unattended", "interlock-unconfirmed"]
    opened.tell(device.DeviceCleared(device="shoe-1"))
    assert [one.row for one in opened.round.notices] == ["shaker-unattended"]


def test_an_open_table_that_closes_goes_on_to_the_end_of_its_round(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    opened.tell(person.TableClosed(by=FLOOR))
    assert (opened.state.table, opened.state.closing) == ("open", True)
    state = after(opened.state, person.TableOpened(by=FLOOR))
    assert state.closing is False
    state = after(opened.state, rounds.TableStateChanged(state="closed"))
    assert (state.table, state.closing) == ("closed", False)


def test_the_seq_of_the_last_row_is_the_states(felt: Felt) -> None:
    assert evolve(felt.state, Row("t-1", 41, system.ClockTrusted(), moment(1))).seq == 41
