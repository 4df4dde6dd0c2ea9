"""Letters of one device: what it tells, and when it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hands import Letter

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.table import State
    from felt_daemon.table.state import Device
    from felt_protocols.events import Fact

    from .hands import Hands


def letters_told_by(name: str) -> Callable[..., Letter]:
    """Letters of one device that is heard; `when` is what else must be so, of the device and the table."""

    def make(
        says: str,
        fact: Callable[[Device, State], Fact],
        when: Callable[[Device, State], bool],
        kind: str = "play",
        natural: Callable[[State], bool] = lambda _state: True,
    ) -> Letter:
        def act(hands: Hands) -> None:
            hands.tell(fact(hands.state.devices[name], hands.state))

        def fits(state: State) -> bool:
            one = state.devices[name]
            return one.link == "ready" and when(one, state)

        return Letter(f"{name}: {says}", kind, act, fits, name, name, natural)

    return make
