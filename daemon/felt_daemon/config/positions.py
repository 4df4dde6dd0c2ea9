"""Where each key of a TOML document stands: what `tomllib` reads and does not tell.

The scanner is only asked about documents that `tomllib` has accepted, so it needs no error handling and
stays small; a test holds that both see the same keys and values in every valid document. The one library
that offers this (spanned-toml) is a frozen copy of an old tomli; tomlkit keeps the layout but no lines.
"""

from __future__ import annotations

import bisect
import re
import tomllib
from dataclasses import dataclass
from typing import cast

Key = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""")
# A string in its four forms, else a bare value, which ends at a comma, a bracket, a comment or the line.
_PLAIN_VALUE = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?:"{0,2})'''
    r"""|\'\'\'.*?\'\'\'(?:'{0,2})"""
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
    r"""|[^,\]}#\n]+""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a key stands (`line`, from 1) and its value (`text[start:end]`; empty under a header)."""

    line: int
    start: int
    end: int


def dotted(key: Key) -> str:
    """A key's path as TOML writes it, `devices.shoe-1.port`; parts of an array in brackets."""
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            bare = re.fullmatch(r"[A-Za-z0-9_-]+", part) is not None
            name = part if bare else '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'
            text += f".{name}" if text else name
    return text


class Scanner:
    """The marks of one valid document; `table` is the table that was open at its end."""

    def __init__(self, text: str) -> None:
        self.marks: dict[Key, Mark] = {}
        self.table: Key = ()
        self._text = text
        self._at = 0
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self._items: dict[Key, int] = {}
        self._document()

    def _document(self) -> None:
        while True:
            self._skip(_GAP)
            if self._at >= len(self._text):
                return
            if self._text[self._at] == "[":
                self._header()
            else:
                self._pair(self.table)

    def _header(self) -> None:
        brackets = 2 if self._text.startswith("[[", self._at) else 1
        mark = Mark(self._line(), self._at, self._at)
        self._at += brackets
        *above, last = self._key()
        self._at += brackets
        table = (*self._within((), above, mark), last)
        if brackets == 1:
            self.marks[table] = mark
        else:
            self.marks.setdefault(table, mark)
            index = self._items.get(table, 0)
            self._items[table] = index + 1
            table = (*table, index)
            self.marks[table] = mark
        self.table = table

    def _pair(self, table: Key) -> None:
        mark = Mark(self._line(), self._at, self._at)
        *above, last = self._key()
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value((*self._within(table, above, mark), last), mark.line)

    def _within(self, table: Key, parts: list[str], mark: Mark) -> Key:
        """The path down to `parts`, through the latest item of each array of tables on the way."""
        for part in parts:
            table = (*table, part)
            self.marks.setdefault(table, mark)
            if table in self._items:
                table = (*table, self._items[table] - 1)
        return table

    def _value(self, key: Key, line: int) -> None:
        start = self._at
        if self._text[start] == "[":
            self._array(key)
        elif self._text[start] == "{":
            self._inline_table(key)
        else:
            self._skip(_PLAIN_VALUE)
        end = len(self._text[start : self._at].rstrip(" \t")) + start
        self.marks[key] = Mark(line, start, end)

    def _array(self, key: Key) -> None:
        self._at += 1
        index = 0
        while True:
            self._skip(_GAP)
            if self._text[self._at] == "]":
                break
            self._value((*key, index), self._line())
            index += 1
            self._skip(_GAP)
            if self._text[self._at] == ",":
                self._at += 1
        self._at += 1

    def _inline_table(self, key: Key) -> None:
        self._at += 1
        while True:
            # Newlines and comments in here are TOML 1.1; a `tomllib` of 1.0 has refused them before.
            self._skip(_GAP)
            if self._text[self._at] == "}":
                break
            self._pair(key)
            self._skip(_GAP)
            if self._text[self._at] == ",":
                self._at += 1
        self._at += 1

    def _key(self) -> list[str]:
        """The parts of a dotted key; afterwards the scanner stands on what follows it."""
        parts: list[str] = []
        while True:
            self._skip(_SPACE)
            start = self._at
            self._skip(_KEY_PART)
            parts.append(unquoted(self._text[start : self._at]))
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return parts
            self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()

    def _line(self) -> int:
        return bisect.bisect_left(self._line_ends, self._at) + 1


def unquoted(part: str) -> str:
    """The name that one part of a key writes, quoted or bare."""
    if part[0] not in "\"'":
        return part
    return cast("str", tomllib.loads(f"name = {part}")["name"])
