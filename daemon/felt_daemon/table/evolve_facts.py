"""How facts change the state: devices, people, and what the round has shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from felt_daemon.table.changes import changed
from felt_daemon.table.deal import all_dealt, begun
from felt_daemon.table.interlock import locks
from felt_daemon.table.state import uncut
from felt_daemon.table.whereabouts import SHOE, is_of
from felt_protocols.events import deck, device, draw, station, system

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.table.state import Device, Grant, Link, Round, State
    from felt_protocols.events import Row

Handler = Callable[["State", Any, "Row"], "State"]


# What the order of a selftest stands under, which ends a service.
SERVICE = "service"


def with_device(state: State, name: str, change: Callable[[Device], Device]) -> State:
    """The state with one device changed; as it is where there is no such device."""
    one = state.devices.get(name)
    return state if one is None else changed(state, devices={**state.devices, name: change(one)})


def with_round(state: State, change: Callable[[Round], Round]) -> State:
    """The state with the round changed; as it is where no round is on."""
    return state if state.round is None else changed(state, round=change(state.round))


def withdrawn(state: State) -> State:
    """The state in which what cards are dealt from has no permit any more, unless they are being dealt."""
    if begun(state):
        return state
    grants = {
        name: changed(grant, withdrawn=True) if is_of(state.devices[grant.device], SHOE) else grant
        for name, grant in state.grants.items()
    }
    return changed(state, grants=grants)


def is_held(state: State, subject: Literal["deck", "device"], name: str) -> bool:
    """Whether a hold keeps something closed for this deck or device, if only while its cause is there."""
    return any(
        (hold.gates or (hold.cause and locks(state, hold)))
        for hold in state.holds.values()
        if hold.subject == subject and hold.subject_id == name
    )


def _started(state: State, event: system.Started, _row: Row) -> State:
    # Nothing is permitted until each device has been heard in this run, whose drivers begin anew.
    awaited = {
        name: changed(one, link="awaiting", faults=_without(one.faults, "driver"))
        for name, one in state.devices.items()
    }
    return changed(state, devices=awaited, gaming_day=event.gaming_day or state.gaming_day)


def _day(state: State, event: system.GamingDayBegan, _row: Row) -> State:
    return changed(state, gaming_day=event.day)


def _without(faults: Mapping[str, str], gone: str) -> dict[str, str]:
    return {code: where for code, where in faults.items() if code != gone}


def _connected(state: State, event: device.DeviceConnected, _row: Row) -> State:
    def change(one: Device) -> Device:
        return changed(
            one,
            link="connected",
            boot=event.device_boot,
            model=event.model,
            serial=event.serial,
            firmware=event.firmware,
            digest=event.digest,
            last_n=one.last_n if event.same_boot else 0,
        )

    return with_device(state, event.device, change)


def _lapsed(state: State, event: device.LeaseLapsed, _row: Row) -> State:
    # What has begun is finished by now; for what has not, the gate gives a new permit.
    state = changed(state, grants=_grants_of_others(state, event.device))
    return with_device(state, event.device, _served_on)


def _grants_of_others(state: State, name: str) -> dict[str, Grant]:
    return {key: grant for key, grant in state.grants.items() if grant.device != name}


def _restarted(state: State, event: device.DeviceRestarted, _row: Row) -> State:
    # What the device counted in its memory is void; so are permits that it held.
    state = changed(state, grants=_grants_of_others(state, event.device))
    return with_device(
        _unseen(state, event.device),
        event.device,
        lambda one: changed(
            _served_on(one), boot=event.device_boot, last_n=0, working=False, jam="", faults={}
        ),
    )


def _events_lost(state: State, event: device.EventsLost, _row: Row) -> State:
    return _unseen(state, event.device)


def _unseen(state: State, name: str) -> State:
    """The round's cards are not all known where it was the shoe that lost what it had to tell."""
    one = state.devices.get(name)
    if one is None or not is_of(one, SHOE):
        return state
    return with_round(state, lambda now: changed(now, unseen=True))


def _linked(link: Link) -> Handler:
    def change(one: Device) -> Device:
        # A refused device is not listened to, so that its silence says nothing.
        deaf = one.link == "refused" and link in {"stale", "lost"}
        return one if deaf else changed(one, link=link)

    def handler(state: State, event: device.DeviceFact, _row: Row) -> State:
        return with_device(state, event.device, change)

    return handler


def _back(state: State, event: device.DeviceBack, _row: Row) -> State:
    # A lost device says HELLO again and is drained again; a stale one was there all the time.
    def change(one: Device) -> Device:
        return changed(one, link="ready") if one.link == "stale" else one

    return with_device(state, event.device, change)


def _faulted(state: State, event: device.DeviceFaulted, _row: Row) -> State:
    return with_device(
        state, event.device, lambda one: changed(one, faults={**one.faults, event.code: event.where})
    )


def _cleared(state: State, event: device.DeviceCleared, _row: Row) -> State:
    def change(one: Device) -> Device:
        # A jam has no code; what is cleared with a code is that fault and nothing else.
        if not event.code:
            return changed(one, jam="")
        return changed(one, faults=_without(one.faults, event.code))

    return with_device(state, event.device, change)


def _door(state: State, event: device.DoorMoved, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, door_open=event.open))


def _light(state: State, event: device.LightShown, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, light=event.colour))


def _answered(state: State, event: device.OrderAnswered, _row: Row) -> State:
    grants = {
        gate: changed(grant, result=event.result) if grant.order == event.order else grant
        for gate, grant in state.grants.items()
    }
    selftest = state.grants.get(f"{SERVICE}/{event.device}")
    if selftest is not None and selftest.order == event.order and event.result != "done":
        state = with_device(state, event.device, _served_on)
    return changed(state, grants=grants)


def _served_on(one: Device) -> Device:
    """The device in service as before, where its selftest came to nothing."""
    return changed(one, service="on") if one.service == "ending" else one


def _loaded(state: State, event: deck.DeckLoaded, _row: Row) -> State:
    return with_device(
        state,
        event.device,
        lambda one: changed(one, batch=event.batch, deck="", working=False, done=False, counted=event.count),
    )


def _shuffling(state: State, event: deck.ShuffleStarted, _row: Row) -> State:
    state = with_device(state, event.device, lambda one: changed(one, working=True))
    return _shuffled(state, event.device, shuffled=False)


def _shuffled(state: State, name: str, *, shuffled: bool) -> State:
    one = state.devices.get(name)
    about = state.decks.get(one.deck) if one else None
    if about is None:
        return state
    return changed(
        state, decks={**state.decks, about.id: changed(about, shuffled=shuffled, marks=uncut(about.marks))}
    )


def _completed(state: State, event: deck.ShuffleCompleted, _row: Row) -> State:
    state = with_device(
        state,
        event.device,
        lambda one: changed(
            one, working=False, done=True, counted=event.count, counts=event.count is not None
        ),
    )
    state = _shuffled(state, event.device, shuffled=event.mode == "shuffle")
    one = state.devices.get(event.device)
    about = state.decks.get(one.deck) if one else None
    if about is None:
        return state
    # Which cards they are is for this shuffle to say, whatever an earlier one recognised.
    found = changed(
        about,
        composition="not verified",
        foreign=0,
        shuffle_counted=event.count is not None,
        device_counted=event.count == about.total,
    )
    if event.count is not None:
        found = changed(found, count="count verified" if event.count == about.total else "wrong")
    return changed(state, decks={**state.decks, about.id: found})


def _interrupted(state: State, event: deck.ShuffleInterrupted, _row: Row) -> State:
    state = with_device(
        state, event.device, lambda one: changed(one, working=False, jam=event.where or event.why, stuck=True)
    )
    return shuffle_undone(state, event.device)


def shuffle_undone(state: State, name: str) -> State:
    """The deck that this shuffler worked on wants its shuffle, and its count, once more."""
    state = _shuffled(state, name, shuffled=False)
    one = state.devices.get(name)
    about = state.decks.get(one.deck) if one else None
    if about is None:
        return state
    # What was counted before it is no proof any more.
    in_doubt = changed(about, count="not verified", composition="not verified")
    return changed(state, decks={**state.decks, about.id: in_doubt})


def _unloaded(state: State, event: deck.DeckUnloaded, _row: Row) -> State:
    # The deck stays named until the next load, so that what was left inside still has an owner.
    return with_device(state, event.device, lambda one: changed(one, batch=None, working=False))


def _shaken(state: State, _event: draw.ShakerShaken, _row: Row) -> State:
    dealt = all_dealt(state)

    def change(now: Round) -> Round:
        if dealt:
            return changed(now, shaken_after_deal=True)
        # What is shaken while cards are dealt is neither.
        return now if now.stacks else changed(now, shakes=now.shakes + 1)

    return with_round(state, change)


def _dice(state: State, event: draw.DiceRead, _row: Row) -> State:
    # The shakes before a reading belong to that reading; a new one needs its own.
    read = event.flat and event.inside and all(event.faces)
    total = sum(event.faces) if read else None
    # The first result of a round stands, whatever a second look shows.
    return with_round(state, lambda now: now if now.start_seat is not None else changed(now, total=total))


def _covered(state: State, _event: draw.ShakerCovered, _row: Row) -> State:
    return with_round(state, lambda now: now if now.start_seat is not None else changed(now, shakes=0))


def _bet(state: State, event: station.ProgressiveBet, _row: Row) -> State:
    def change(one: Device) -> Device:
        others = tuple(seat for seat in one.wagers if seat != event.seat)
        return changed(one, wagers=(*others, event.seat) if event.present else others)

    return with_device(state, event.device, change)


def _bets_locked(state: State, event: station.ProgressiveBetsLocked, _row: Row) -> State:
    return with_device(state, event.device, lambda one: changed(one, wagers=event.seats))


def _timer_due(state: State, event: system.TimerDue, _row: Row) -> State:
    return changed(state, timers={name: one for name, one in state.timers.items() if name != event.timer})


def _timer_unknown(state: State, event: system.TimerUnknown, _row: Row) -> State:
    timer = state.timers.get(event.timer)
    if timer is None:
        return state
    return changed(state, timers={**state.timers, timer.id: changed(timer, unknown=True)})


HANDLERS: dict[type[Any], Handler] = {
    system.Started: _started,
    system.GamingDayBegan: _day,
    system.TimerDue: _timer_due,
    system.TimerUnknown: _timer_unknown,
    device.DeviceConnected: _connected,
    device.DeviceRestarted: _restarted,
    device.EventsLost: _events_lost,
    device.LeaseLapsed: _lapsed,
    device.DeviceRefused: _linked("refused"),
    device.OrderLeaked: _linked("refused"),
    device.DeviceDrained: _linked("ready"),
    device.DeviceStale: _linked("stale"),
    device.DeviceLost: _linked("lost"),
    device.DeviceBack: _back,
    device.DeviceFaulted: _faulted,
    device.DeviceCleared: _cleared,
    device.DoorMoved: _door,
    device.LightShown: _light,
    device.OrderAnswered: _answered,
    deck.DeckLoaded: _loaded,
    deck.ShuffleStarted: _shuffling,
    deck.ShuffleCompleted: _completed,
    deck.ShuffleInterrupted: _interrupted,
    deck.DeckUnloaded: _unloaded,
    draw.ShakerShaken: _shaken,
    draw.DiceRead: _dice,
    draw.ShakerCovered: _covered,
    station.ProgressiveBet: _bet,
    station.ProgressiveBetsLocked: _bets_locked,
}
