"""What is wrong with a configuration, one problem for each mistake."""

from __future__ import annotations

from dataclasses import dataclass

from felt_protocols.errors import FeltError


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it stands, what was given, and what would be right.

    `line` counts from 1; for a missing key it is the line of its table. `key` is the full dotted path,
    `value` the value as the file writes it ("" where there is none).
    """

    file: str
    line: int
    key: str
    value: str
    text: str

    def shown(self) -> str:
        """One line for people, in the form that editors jump to."""
        given = f"{self.key} = {self.value}" if self.value else self.key
        return (
            f"{self.file}:{self.line}: {given}: {self.text}"
            if given
            else f"{self.file}:{self.line}: {self.text}"
        )


class ConfigError(FeltError):
    """The configuration is not valid; `problems` holds every mistake, in the order of the file."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(problem.shown() for problem in problems))
        self.problems = problems


class UnreadableConfig(FeltError):  # noqa: N818 - the name says what happened
    """The configuration file cannot be opened or read at all; the text says why."""
