"""Bodies of older versions, brought to the present one when they are read.

A body that changed its meaning got a higher `v`, and here a pure function for each step from one version to
the next. A field that came with a default needs neither: a body without it reads as if it had that default.
What is stored never changes, and hashes are always those of the stored bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from felt_protocols.errors import UnknownEvent

Body = dict[str, Any]
Upcaster = Callable[[Body], Body]

# The step from version `v` of an event's body to version `v + 1`, by the event's name and `v`.
UPCASTERS: dict[tuple[str, int], Upcaster] = {}


def upcaster(what: str, v: int) -> Callable[[Upcaster], Upcaster]:
    """Enter a function that makes version `v + 1` of a body out of version `v`.

    The body may come without its private fields, and without its context, which has no versions.
    """

    def enter(step: Upcaster) -> Upcaster:
        if (what, v) in UPCASTERS:
            raise ValueError(f"two functions bring {what} from v{v} to v{v + 1}")
        UPCASTERS[what, v] = step
        return step

    return enter


def upcast(what: str, v: int, present: int, body: Mapping[str, Any]) -> Body:
    """The body as version `present` has it; raises `UnknownEvent` if no way leads there from version `v`."""
    if v > present:
        raise UnknownEvent(
            f"the journal holds {what} v{v}, and this release knows v{present}: a newer feltd wrote it"
        )
    brought = dict(body)
    for step in range(v, present):
        function = UPCASTERS.get((what, step))
        if function is None:
            raise UnknownEvent(f"the journal holds {what} v{v}, and no way leads from v{step} to v{step + 1}")
        brought = function(brought)
    return brought
