"""What happens at the table because the script says so: troubles, commands, and the passing of time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from felt_simulators.screen import Declined
from felt_simulators.stuck import Stuck

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from felt_simulators.crew import Crew
    from felt_simulators.house import House
    from felt_simulators.scenario import Action
    from felt_simulators.view import View

LOOK_S = 1.0


class Stage:
    """Makes the actions of a scenario happen. `say` tells the story's reader what else there is to know."""

    def __init__(self, house: House, crew: Crew, say: Callable[[str], None]) -> None:
        self._house = house
        self._host = house.host
        self._crew = crew
        self._say = say
        self._acts: dict[str, Callable[[Action], Awaitable[None]]] = {
            "fault": self._fault,
            "lift": self._fault,
            "lapse": self._lapse,
            "command": self._command,
            "report": self._command,
            "press": self._press,
            "do": self._do,
            "floor": self._floor,
            "seats": self._seats,
            "leap": self._leap,
            "wait": self._wait,
            "wait_for": self._wait_for,
            "kill": self._restart,
            "stop": self._restart,
            "clock": self._clock,
        }

    async def act(self, action: Action) -> None:
        """Make one action happen. Raises `Stuck`, `RunFailed` and `NoTable`."""
        await self._acts[action.what](action)

    async def _fault(self, action: Action) -> None:
        cable = self._house.machines.cable(action.device)
        if action.fault is not None:
            self._host.fault(cable, action.fault)
        else:
            self._host.lift_fault(cable, action.name)

    async def _lapse(self, action: Action) -> None:
        self._crew.dealer.lapses.add(action.name)

    async def _command(self, action: Action) -> None:
        crew = self._crew
        try:
            await crew.screen.tell(action.who, action.command, action.args, action.second)
        except Declined as refusal:
            if not action.refused:
                raise Stuck(str(refusal)) from refusal
            self._say(f"    refused: {refusal}")
        else:
            if action.refused:
                raise Stuck(f"{action.command} was to be refused and was not")
            crew.props.follow(action.command, action.args)
            await crew.screen.look()

    async def _press(self, action: Action) -> None:
        buttons = self._crew.buttons
        if buttons is None:
            raise Stuck(f"there is no dealer's panel to press {action.name} at")
        button, _, word = action.name.partition(" ")
        buttons.press(button, word, refused=action.refused)
        await asyncio.sleep(LOOK_S)
        await self._crew.screen.look()

    async def _do(self, action: Action) -> None:
        await self._crew.tasks.do(action.name)

    async def _floor(self, action: Action) -> None:
        self._crew.floor.walks_past = action.name == "here"

    async def _seats(self, action: Action) -> None:
        self._crew.dealer.seats = action.seats

    async def _leap(self, action: Action) -> None:
        await self._host.leap(action.seconds)

    async def _wait(self, action: Action) -> None:
        await asyncio.sleep(action.seconds)

    async def _restart(self, action: Action) -> None:
        await (self._host.kill() if action.what == "kill" else self._host.stop())
        await asyncio.sleep(action.seconds)
        self._host.start()
        await self._host.settled()

    async def _clock(self, action: Action) -> None:
        await self._host.set_wall_clock(trusted=action.trusted)

    async def _wait_for(self, action: Action) -> None:
        limit_ns = self._host.now_ns + int(action.seconds * 1e9)
        while self._host.now_ns < limit_ns:
            if _is_so(await self._crew.screen.look(), action.name):
                return
            await asyncio.sleep(LOOK_S)
        raise Stuck(f"waited {action.seconds:g} s for {action.name}{await self._crew.shown()}")


def _is_so(view: View, what: str) -> bool:
    kind, _, rest = what.partition(" ")
    match kind:
        case "no-holds":
            return not view.holds
        case "hold":
            return any(hold["row"] == rest for hold in view.holds)
        case "asked":
            return any(hold["asked"] == rest for hold in view.holds)
        case "directive":
            return rest in view.directives()
        case _:
            name, _, link = rest.partition(" ")
            return bool(view.shown["devices"].get(name) == link)
