"""A file as text, tree and positions; statements that are no TOML are set aside, each with its reason."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from felt_daemon.config.positions import Key, Scanner

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_UNREAD = 50
_LONGEST_QUOTE = 60
# No editor writes this name by accident: its first character cannot be typed.
_PLACEHOLDER = "\ue000line "
_ERROR_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PART = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_NAME = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_STATEMENT = re.compile(rf"\s*(?:$|#|{_NAME}\s*=|\[\[?\s*{_NAME}\s*\]\]?\s*(?:#.*)?$)")
_ASSIGNMENT = re.compile(rf"\s*({_NAME})\s*=\s*(.*?)\s*$")
_HEADER = re.compile(r"\s*\[")


@dataclass(frozen=True, slots=True)
class Unread:
    """A statement that is no TOML: its line, key and value as far as they can be told, and why."""

    line: int
    key: Key
    value: str
    text: str
    kind: Literal["value", "header", "twice", "other"]


@dataclass(frozen=True, slots=True)
class Document:
    """A file's settings as `tomllib` reads them, and where each of them stands."""

    file: str
    tree: Mapping[str, object]
    unread: tuple[Unread, ...]
    _text: str
    _scanner: Scanner

    def line(self, key: Key) -> int:
        """The line of a key, or of the nearest table above it that the file has."""
        while key and key not in self._scanner.marks:
            key = key[:-1]
        return self._scanner.marks[key].line if key else 1

    def written(self, key: Key) -> str:
        """The value as the file writes it, on one line; empty for a table with a header."""
        mark = self._scanner.marks.get(key)
        return quoted(self._text[mark.start : mark.end]) if mark else ""

    def has(self, key: Key) -> bool:
        """Whether the file gives this key."""
        return key in self._scanner.marks

    def lost(self, key: Key) -> bool:
        """Whether this key, or something under it, may stand in a statement that could not be read."""
        return any(
            one.kind == "header" or key == one.key[: len(key)] or one.key == key[: len(one.key)]
            for one in self.unread
        )

    def value(self, *key: str) -> object:
        """The value at a path; None where the file has nothing there."""
        found: object = self.tree
        for part in key:
            table = as_table(found)
            if table is None or part not in table:
                return None
            found = table[part]
        return found


def as_table(value: object) -> Mapping[str, object] | None:
    """The value if it is a table, else None."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def quoted(value: str) -> str:
    """A value cut to one short line of printable characters."""
    line = " ".join(value.split())
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 3] + "..."


def read(text: str, file: str) -> Document:
    """The document of a text; never raises.

    What cannot be read is left out statement by statement, so that one slip does not hide the next.
    """
    lines = text.split("\n")
    unread: list[Unread] = []
    while True:
        whole = "\n".join(lines)
        try:
            tree = tomllib.loads(whole)
            kept = {name: value for name, value in tree.items() if not name.startswith(_PLACEHOLDER)}
            return Document(file, kept, tuple(unread), whole, Scanner(whole))
        except RecursionError:
            unread.append(Unread(1, (), "", "the file nests arrays or tables too deeply", kind="header"))
            return Document(file, {}, tuple(unread), "", Scanner(""))
        except ValueError as error:
            if len(unread) == MOST_UNREAD:
                text = f"more than {MOST_UNREAD} lines are no TOML; nothing after this one was checked"
                unread.append(Unread(unread[-1].line, (), "", text, kind="header"))
                return Document(file, {}, tuple(unread), "", Scanner(""))
            unread.append(_set_aside(lines, error))


def _set_aside(lines: list[str], error: ValueError) -> Unread:
    """Blank the statement that `error` is about, and say what is wrong with it."""
    place = _ERROR_PLACE.search(str(error))
    hint = int(place[1]) if place and place[1] else len(lines)
    start = _statement(lines, hint)
    above = Scanner("\n".join(lines[: start - 1]))
    unread = _explained(lines[start - 1], start, hint, above, error)
    # A header that cannot be read still ends the table above it.
    lines[start - 1] = f'["{_PLACEHOLDER}{start}"]' if unread.kind == "header" else ""
    if hint > start:
        for at in range(start, len(lines)):
            if _STATEMENT.match(lines[at]):
                break
            lines[at] = ""
    return unread


def _statement(lines: list[str], hint: int) -> int:
    """The line, from 1, where the broken statement begins: the lines before it are valid TOML."""
    for line in range(min(hint, len(lines)), 1, -1):
        try:
            tomllib.loads("\n".join(lines[: line - 1]))
        except ValueError:
            continue
        return line
    return 1


def _explained(line: str, number: int, hint: int, above: Scanner, error: ValueError) -> Unread:
    if _HEADER.match(line):
        return _unread_header(line, number, above, error)
    assignment = _ASSIGNMENT.match(line)
    if assignment is None:
        return Unread(number, above.table, "", _reason(error, number, hint), kind="other")
    key = (*above.table, *_path(f"{assignment[1]} = 0"))
    value = assignment[2]
    if "overwrite" in str(error) or "Cannot mutate" in str(error):
        text = f"given twice; it stands first on line {above.marks[key].line}" if key in above.marks else ""
        return Unread(number, key, quoted(value), text or _reason(error, number, hint), kind="twice")
    bare = value.partition("#")[0].strip()
    text = _usual_slip(bare) or _reason(error, number, hint)
    return Unread(number, key, quoted(bare or value), text, kind="value")


def _unread_header(line: str, number: int, above: Scanner, error: ValueError) -> Unread:
    key: Key = ()
    if _STATEMENT.match(line):
        key = _path(line)
    if key in above.marks:
        text = f"the table stands twice; it stands first on line {above.marks[key].line}"
    else:
        text = _reason(error, number, number)
    return Unread(number, key, "", text, kind="header")


def _path(statement: str) -> Key:
    """The key of a lone statement; nothing where it cannot be told."""
    try:
        marks = Scanner(statement).marks if tomllib.loads(statement) else {}
    except ValueError:
        return ()
    return max(marks, key=len, default=())


# What other formats take and TOML does not, and what to say about it ({0} is the value, {1} its groups).
_USUAL_SLIPS = (
    (r"[+-]?0\d+", 'a number never begins with 0, and a name made of figures stands in quotes: "{0}"'),
    (r"(\d):(\d\d)", "a time of day has seconds: 0{1}:{2}:00"),
    (r"(\d\d):(\d\d)", "a time of day has seconds: {1}:{2}:00"),
    (r"[+-]?\d+(?:\.\d+)?\s*[A-Za-z%]+", "a number stands alone, without its unit"),
    (r"(?i:true|false)", "a truth value is true or false, in small letters"),
    (r"(?i:yes|no|on|off)", '{0} is neither a truth value (true, false) nor text ("{0}")'),
    (r"[^\W\d][\w./:-]*|/[\w./:-]+", 'text stands in quotes: "{0}"'),
)


def _usual_slip(value: str) -> str:
    """What is wrong with a value that people write because other formats take it; empty if nothing known."""
    for pattern, text in _USUAL_SLIPS:
        if match := re.fullmatch(pattern, value):
            return text.format(value, *match.groups())
    return ""


def _reason(error: ValueError, start: int, hint: int) -> str:
    text = str(error)
    place = _ERROR_PLACE.search(text)
    what = text[: place.start()] if place else text
    if place is None:
        return f"no valid TOML: {what}"
    if place[1] is None or hint > start:
        where = "the end of the file" if place[1] is None else f"line {hint}"
        return f"the statement that begins here is not finished or goes wrong at {where}: {what}"
    return f"no valid TOML at column {place[2]}: {what}"
