"""Everything that devices and people may do at a table, as far as the rules can tell it apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import device

from .hands import Letter
from .letters_of_cards import CARD_LETTERS
from .letters_of_people import people_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.rules import Pack
    from felt_daemon.table import Setup, State
    from felt_daemon.table.state import Device

    from .hands import Hands

# Families that take a permit, whose lease can lapse and whose inhibit can be missed.
PERMITTED = {"shuffler", "shoe", "continuous-shuffler", "hole-card-reader", "progressive-station", "rng"}
LEAK = {"shuffler", "shoe", "continuous-shuffler"}


def letters_for(pack: Pack, setup: Setup) -> tuple[Letter, ...]:
    """The whole alphabet of a table."""
    found: list[Letter] = []
    for name, family in setup.devices.items():
        found += _link_letters(name)
        found += _fault_letters(name)
        if family in PERMITTED:
            found += _permit_letters(name)
        if family in LEAK:
            found += [_leak(name)]
        make = CARD_LETTERS.get(family)
        if make is not None:
            found += make(pack, name)
    return (*found, *people_letters(pack, setup))


def _is(name: str, *links: str) -> Callable[[State], bool]:
    return lambda state: state.devices[name].link in links


def _hears(name: str, boot: str = "") -> Callable[[Hands], None]:
    """The device says HELLO again and tells what it has kept; with another boot where it restarted."""

    def act(hands: Hands) -> None:
        one = hands.state.devices[name]
        before = one.boot
        hands.tell(_connected(one, boot or before or "a1", same_boot=not boot))
        if boot and before:
            hands.tell(
                device.DeviceRestarted(device=name, device_boot=boot + before[-4:], previous_boot=before)
            )
        if one.link in {"lost", "stale"}:
            hands.tell(device.DeviceBack(device=name))
        hands.tell(device.DeviceDrained(device=name, upto=0))

    return act


def _connected(one: Device, boot: str, *, same_boot: bool) -> device.DeviceConnected:
    return device.DeviceConnected(
        device=one.id,
        family=one.family,
        model="m",
        serial="s-1",
        firmware="1",
        digest="0",
        device_boot=boot,
        same_boot=same_boot,
    )


def _link_letters(name: str) -> Iterator[Letter]:
    yield Letter(
        f"{name} is heard",
        "remedy",
        _hears(name),
        _is(name, "awaiting", "lost", "refused"),
        name,
        name,
    )
    yield _tells(name, "is stale", "trouble", device.DeviceStale(device=name, silent_ms=1500), "ready")
    yield _tells(name, "is heard in time", "remedy", device.DeviceBack(device=name), "stale")
    yield _tells(
        name, "is lost", "trouble", device.DeviceLost(device=name, why="silent"), "awaiting", "ready", "stale"
    )
    yield Letter(f"{name} restarts", "trouble", _hears(name, "b2"), _is(name, "ready"), name)
    yield Letter(f"{name} comes back restarted", "remedy", _hears(name, "b2"), _is(name, "lost"), name, name)
    yield _tells(
        name, "is another one", "trouble", device.DeviceRefused(device=name, why="serial"), "awaiting", "lost"
    )
    yield _tells(name, "lost events", "trouble", device.EventsLost(device=name, first=1, last=2), "ready")


def _tells(name: str, says: str, kind: str, fact: device.DeviceFact, *links: str) -> Letter:
    return Letter(f"{name} {says}", kind, lambda hands: hands.tell(fact), _is(name, *links), name, name)


def _fault_letters(name: str) -> Iterator[Letter]:
    for code, remedy in (("motor", "remedy"), ("driver", "remedy"), ("not-understood", "strange")):
        yield Letter(
            f"{name} has the fault {code}",
            "trouble",
            lambda hands, code=code: hands.tell(device.DeviceFaulted(device=name, code=code)),
            lambda state, code=code: (
                state.devices[name].link == "ready" and code not in state.devices[name].faults
            ),
            name,
            name,
        )
        yield Letter(
            f"{name} is free of the fault {code}",
            remedy,
            lambda hands, code=code: hands.tell(device.DeviceCleared(device=name, code=code)),
            lambda state, code=code: (
                state.devices[name].link == "ready" and code in state.devices[name].faults
            ),
            name,
            name,
        )
    yield _tells(name, "opens its door", "strange", device.DoorMoved(device=name, open=True), "ready")
    yield _tells(name, "shows red", "trouble", device.LightShown(device=name, colour="red"), "ready")
    yield _tells(name, "shows green", "strange", device.LightShown(device=name, colour="green"), "ready")


def _permit_letters(name: str) -> Iterator[Letter]:
    yield _tells(
        name,
        "ignores its inhibit",
        "strange",
        device.InterlockUnconfirmed(device=name, after_ms=500),
        "ready",
    )
    yield _tells(
        name, "is inhibited by a key", "strange", device.InhibitFound(device=name, why="key"), "ready"
    )
    yield _tells(name, "lets its lease lapse", "trouble", device.LeaseLapsed(device=name), "ready")
    for result in ("done", "failed", "unknown"):
        yield Letter(
            f"{name} answers {result}",
            "play" if result == "done" else "trouble",
            lambda hands, result=result: _answer(hands, name, result),
            lambda state, result=result: (
                state.devices[name].link == "ready" and _unanswered(state, name, result) is not None
            ),
            name,
            name,
        )


def _unanswered(state: State, name: str, result: str) -> int | None:
    """The order that this answer would be news about: of those that succeed only a service's end."""
    for grant in state.grants.values():
        if grant.device == name and grant.result == "open" and (result != "done" or grant.gate == "service"):
            return grant.order
    return None


def _answer(hands: Hands, name: str, result: str) -> None:
    order = _unanswered(hands.state, name, result)
    assert order is not None
    hands.tell(device.OrderAnswered.model_validate({"device": name, "order": order, "result": result}))


def _leak(name: str) -> Letter:
    return _tells(name, "offers the order of its cards", "trouble", device.OrderLeaked(device=name), "ready")
