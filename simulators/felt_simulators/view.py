"""What people read off the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class View:
    """The table's picture at one moment, as `felt state` shows it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        shown: Mapping[str, Any] = data.get("state", data) if isinstance(data.get("state"), dict) else data
        self.shown = shown

    @property
    def table(self) -> str:
        """Whether the table is closed or open."""
        return str(self.shown["state"])

    @property
    def round(self) -> Mapping[str, Any]:
        """The round in progress; empty between rounds."""
        return self.shown["round"] or {}

    @property
    def number(self) -> int:
        """The number of the round in progress, 0 without one."""
        return int(self.round.get("number", 0))

    @property
    def phase(self) -> str:
        """The round's phase, `none` without one."""
        return str(self.round.get("phase", "none"))

    @property
    def void(self) -> bool:
        """Whether the round is void."""
        return bool(self.round.get("void"))

    @property
    def holds(self) -> list[Mapping[str, Any]]:
        """The open holds."""
        return list(self.shown["holds"])

    def holds_on(self, subject: str, name: str = "") -> list[Mapping[str, Any]]:
        """The open holds on one deck or device, or on any."""
        return [
            hold
            for hold in self.holds
            if hold["subject"] == subject and (not name or hold["subject_id"] == name)
        ]

    def directives(self, *incidents: int) -> list[str]:
        """What people must do, by name; of these incidents, or of all."""
        return [
            str(each["do"])
            for each in self.shown["directives"]
            if not incidents or each["incident"] in incidents
        ]

    def says(self) -> list[tuple[str, str]]:
        """What people must do in plain words, each with its citation or `own rule`."""
        return [
            (str(each["says"]), ", ".join(each["cite"]) or "own rule") for each in self.shown["directives"]
        ]

    def demanded_of(self, subject: str, name: str) -> set[str]:
        """What must be done about one deck or device that is held."""
        incidents = [int(hold["incident"]) for hold in self.holds_on(subject, name)]
        return set(self.directives(*incidents)) if incidents else set()

    def held_from_deal(self, deck: str) -> bool:
        """Whether something keeps this deck from being dealt."""
        return any("deal" in hold["gates"] for hold in self.holds_on("deck", deck))

    def device_held_from(self, gate: str, device: str) -> bool:
        """Whether something keeps this device from what the gate is for."""
        return any(gate in hold["gates"] for hold in self.holds_on("device", device))

    @property
    def way_to_deal(self) -> str:
        """How cards are dealt, by the word of the game's rules."""
        return str(self.shown["method"].get("deal", ""))

    @property
    def shuffled_by_hand(self) -> bool:
        """Whether the dealer shuffles without the shuffler."""
        return bool(self.shown["method"].get("shuffle", "device") != "device")

    def waits_for(self, gate: str) -> list[str]:
        """What keeps a gate closed, in words; empty when it is open or nothing is to be permitted."""
        return [str(reason) for each in self._gates(gate) for reason in each["waits_for"]]

    def granted(self, gate: str) -> bool:
        """Whether the permit of this gate is given."""
        return any(each["granted"] for each in self._gates(gate))

    def deck(self, name: str) -> Mapping[str, Any]:
        """One deck."""
        deck: Mapping[str, Any] = self.shown["decks"][name]
        return deck

    def _gates(self, gate: str) -> Iterator[Mapping[str, Any]]:
        return (each for each in self.shown["interlocks"] if each["gate"] == gate)
