"""The errors of the project, sorted by who can act on them.

`ConfigError` is for the installer, at start. `LinkLost` is for the supervisor, who tries again.
`DeviceFault` is for floor staff. `CommandRefused` is for whoever gave the command. Anything else is a bug.
"""

from __future__ import annotations


class FeltError(Exception):
    """An error that somebody can act on; its text says what would be right."""


class LinkLost(FeltError):  # noqa: N818 - the name says what happened to the link
    """The port cannot be read or written any more; the supervisor opens it again.

    `why` is one word or two for people, `evidence` what the system said.
    """

    def __init__(self, why: str, evidence: str = "") -> None:
        super().__init__(f"{why}: {evidence}" if evidence else why)
        self.why = why
        self.evidence = evidence


class DeviceFault(FeltError):  # noqa: N818 - the name says what happened to the device
    """A device is there and does not behave; floor staff must look at it."""

    def __init__(self, device: str, why: str) -> None:
        super().__init__(f"{device}: {why}")
        self.device = device
        self.why = why


class CommandRefused(FeltError):  # noqa: N818 - a refusal is an answer
    """A command is not carried out; the text is the reason that its giver is told."""


class UnknownEvent(FeltError):  # noqa: N818 - the name says what was met
    """A stored event has a name or version that this release does not know."""
