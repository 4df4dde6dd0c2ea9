"""Where the keys of a TOML text stand, for messages that name the line; Python's reader does not say."""

from __future__ import annotations

import re

# A table's name, or an item of a list of tables with its number.
Path = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\- ]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_\-]+)\s*(=|\.)")


def key_lines(text: str) -> dict[Path, int]:
    """The line, from 1, of each table and key of a valid TOML text written in the plain way.

    Items of a list of tables are counted from 0: `("steps", 2, "rounds")`.
    """
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    here: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header:
            here = _entered(header[2], counts, in_list=header[1] == "[[")
            found.setdefault(here, number)
            continue
        key = _KEY.match(line)
        if key:
            found.setdefault((*here, key[1]), number)
    return found


def _entered(name: str, counts: dict[Path, int], *, in_list: bool) -> Path:
    """The path of the table that a header opens."""
    names = [part.strip() for part in name.split(".")]
    path: Path = ()
    for position, part in enumerate(names):
        path = (*path, part)
        last = position == len(names) - 1
        if last and in_list:
            counts[path] = counts.get(path, -1) + 1
            # What was counted inside the item before does not count in this one.
            for inner in [other for other in counts if len(other) > len(path) and other[: len(path)] == path]:
                if inner[len(path)] != counts[path] - 1:
                    continue
                del counts[inner]
        if path in counts:
            path = (*path, counts[path])
    return path
