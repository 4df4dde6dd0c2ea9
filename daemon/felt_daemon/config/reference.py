"""The reference of all keys, `docs/configuration.md`, written from the models so that it cannot drift.

`python -m felt_daemon.config.reference > docs/configuration.md`
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

from felt_daemon.config import schema
from felt_daemon.config.config import toml
from felt_daemon.config.fields import Otherwise, expected
from felt_daemon.config.game import one_of, shipped
from felt_daemon.config.model import Sections
from felt_daemon.rules import chapters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

    from felt_daemon.config.game import Game

_INTRODUCTION = """\
# Configuration

<!-- Written by `python -m felt_daemon.config.reference`; a test compares. Change the models instead. -->

One TOML file describes one table. Begin with a commented one:
[examples/asia-poker.toml](../examples/asia-poker.toml).

- `felt check-config FILE` lists every mistake of the file at once, with line, key, what was given and what
  would be right, or else every value that holds and where it comes from. It opens no port.
- The register of people, where one is named, is read as well: one that cannot be read or is not valid is a
  mistake on the line that names it. So is a broken rule pack of the house's own, with all its mistakes.
- `feltd` checks the whole file the same way before it opens any port, and does not start with a mistake.
- A key that is not on this page is refused: a misspelt key would leave off what you believe is on.
- Nothing is converted. `"1883"` is text and no port, `52.0` is not 52, `no` is no truth value, `06:00` lacks
  its seconds, and an id made of figures stands in quotes (`"010"`).
- The file is UTF-8; a byte order mark at its beginning and Windows line ends make no difference.
- Ids match `[a-z0-9][a-z0-9-]{0,31}` and are not `floor`. Names for people may be in any script.
- Every start journals the SHA-256 of the values that hold, the elections and the Rules Submission.

`felt check-config` ends with 0 when the file is valid, 78 when it is not and 66 when it cannot be read; with
`--json` it prints one JSON document.
"""


def reference() -> str:
    """The whole page, as Markdown."""
    parts = [_INTRODUCTION]
    for key, model in _tables("", Sections):
        parts.append(_section(key, model))
    parts += [_game(shipped(name)) for name in chapters()]
    return "\n".join(parts)


def _tables(key: str, model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in model.model_fields.items():
        path = f"{key}.{name}" if key else name
        found = schema.node(field)
        if isinstance(found, schema.Named):
            entry = f"{path}.{'ROLE' if name == 'roles' else 'ID'}"
            yield f"[{entry}]", found.inner
        elif isinstance(found, schema.TableOf):
            for variant in found.variants:
                mode = schema.mode_of(variant)
                yield f"[{path}]" + (f' with `mode = "{mode}"`' if mode else ""), variant
                yield from _tables(path, variant)


def _section(key: str, model: type[BaseModel]) -> str:
    table, _, mode = key.partition(" ")
    rows = [f"\n## `{table}`{' ' + mode if mode else ''}\n", f"{inspect.getdoc(model)}\n"]
    rows += ["| key | must be | default | what and why |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        found = schema.node(field)
        if isinstance(found, schema.Setting):
            rows.append(f"| `{name}` | {expected(field).words} | {_default(field)} | {field.description} |")
        elif isinstance(found, schema.Named):
            rows.append(f"| `{name}` | tables of their own, below | none | {field.description} |")
    return "\n".join(rows)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "must be given"
    for note in field.metadata:
        if isinstance(note, Otherwise):
            return note.holds
    return "none" if field.default is None else f"`{toml(field.default)}`"


def _game(game: Game) -> str:
    about = Sections.model_fields["elections"].description
    panel = "; ".join(f"`{key}` is {one_of(words).words}" for key, words in game.panel.items())
    rows = [
        f"\n## Game {game.name}, {game.says}\n",
        f"`[devices]` may have the families {', '.join(game.families)}. Under `[panel]`, {panel}.\n",
        f"`[elections]`: {about}\n",
    ]
    rows += ["| key | must be | default | what and why |", "|---|---|---|---|"]
    for name, one in game.elections.items():
        default = "must be given" if one.default is None else f"`{toml(one.default)}`"
        needs = [
            f"{toml(choice)} needs a device of family " + " and of family ".join(families) + "."
            for choice, families in one.needs.items()
            if families
        ]
        counted = ["Each of them has a table of its own, `[decks.ID]`."] if name == game.in_use else []
        why = " ".join((one.about, *needs, *counted))
        rows.append(f"| `{name}` | {one.words()} | {default} | {why} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
