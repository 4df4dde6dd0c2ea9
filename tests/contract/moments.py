"""Tables of every kind of day, stopped at moments when there is much to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.pack import Inspection
from felt_protocols.events import card, device, draw, person, system

from ..table import felt as tables  # noqa: TID252 - tests are no package that could be named
from ..table import small_games  # noqa: TID252 - as above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..table.felt import Felt  # noqa: TID252 - as above

LADDER = (("dealer", 0), ("floor", 30))


def moments() -> Iterator[Felt]:
    """Tables at moments when as much as possible is to be shown."""
    rule = Inspection(family="shaker", cite=("665a.2(d)",), says="Inspect it every day.")
    pack = tables.PACK.model_copy(update={"inspections": (rule,)})
    felt = tables.Felt(pack, tables.setup_of(escalation=LADDER))
    yield felt
    felt.open()
    felt.tell(person.BetsClosed(by=tables.DEALER))
    yield felt
    felt.start_position()
    felt.tell(system.GamingDayBegan(day="2026-12-01"))
    felt.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=90))
    felt.deal(7, 7)
    felt.tell(person.DealerCame(by=tables.FLOOR, dealer="Dan"), person.FloorCalled(by=tables.DEALER))
    yield felt
    felt.tell(
        card.ShoeJammed(device="shoe-1", where="exit"),
        device.DeviceFaulted(device="shoe-1", code="E5", where="motor"),
        device.LightShown(device="shoe-1", colour="red"),
        system.TimerUnknown(timer="dice-age/shaker-1"),
    )
    yield felt
    felt.tell(
        person.HoldAcknowledged(by=tables.FLOOR, hold=1),
        person.ServiceBegun(by=tables.FLOOR, device="shaker-1", why="dirty"),
        draw.ShakerShaken(device="shaker-1"),
        person.SignMoved(by=tables.FLOOR, device="shoe-1", sign="out-of-order"),
        person.Inspected(by=tables.FLOOR, device="shuffler-1", result="in-order"),
    )
    yield felt
    dealt = tables.opened()
    dealt.ready_to_deal()
    dealt.deal()
    dealt.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    yield dealt
    small = small_games.open_small(small_games.SINGLES, shoe_1="shoe")
    small.tell(card.ShoeLoaded(device="shoe-1", count=104))
    small.report("seats-playing", seats=(1, 3))
    small.report("up-card-ace")
    small.tell(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(2)))
    yield small
