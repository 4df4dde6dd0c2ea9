"""What the dealer's panel tells: a button was pressed. The table makes the command of that name of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from felt_protocols.events.core import Fact, Id, Kind, Word, published

Button = Literal["no-more-bets", "round-end", "new-dealer", "call-floor", "acknowledge", "report"]


@published
class PanelPressed(Fact):
    """A button of the dealer's panel was pressed; `report` is its word where it was a report."""

    kind: ClassVar[Kind] = "person"
    device: Id
    button: Button
    report: Word = ""
