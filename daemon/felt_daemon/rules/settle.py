"""What a house's answers make of a pack: its constants, and the words that texts leave open.

A pack is stored before this, so that its digest is the same at every table of the game.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError

from felt_daemon.rules.compose import BadPack, Document, nearest
from felt_daemon.rules.items import list_of, place, rows_of, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Choice = str | int

# Says for which answers of the house a pattern is, or the burns are.
_KEY = "elected"
_MARK = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SETS = TypeAdapter(dict[str, dict[str, int | str]])
_ELECTED = TypeAdapter(dict[str, Choice])


def settled(document: Mapping[str, Any], elections: Mapping[str, Choice] | None = None) -> Document:
    """The document with the constants that these answers set, and every `{name}` in its texts replaced.

    A question that is not answered has its default, or else its first choice. A name in a text is a constant
    or one of `[words]`. A pattern, or the burns, with `elected` stays only where the answers are these.
    Raises `BadPack`.
    """
    found = _apart(document)
    wrong: list[str] = []
    _leave_out(found, elections or {}, wrong)
    constants: Document = {**table_of(found, "constants")}
    for name in table_of(found, "elections"):
        election = table_of(table_of(found, "elections"), name)
        wrong += _set(name, election, constants, (elections or {}).get(name))
    if constants:
        found["constants"] = constants
    known = {**table_of(found, "words"), **constants}
    unknown: list[tuple[tuple[int | str, ...], str]] = []
    found = {name: _filled(value, known, unknown, (name,)) for name, value in found.items()}
    wrong += [
        f"{place(path, found)}: no constant or word is called {name}{nearest(name, known)}"
        for path, name in unknown
    ]
    if wrong:
        raise BadPack("\n".join(wrong))
    return found


def _apart(document: Mapping[str, Any]) -> Document:
    """The document, with copies of what is changed here; all else is made anew when its texts are filled."""
    found: Document = dict(document)
    if rows := list_of(found, "patterns"):
        found["patterns"] = [_copied(row) for row in rows]
    for name in ("elections", "burns"):
        if table := table_of(found, name):
            found[name] = {key: _copied(value) for key, value in table.items()}
    return found


def _copied(value: object) -> object:
    return dict(cast("Document", value)) if isinstance(value, dict) else value


def settings(document: Mapping[str, Any]) -> Iterator[dict[str, Choice]]:
    """Answers that make every pack which this document can be, one question at a time: the defaults first."""
    yield {}
    elections = table_of(document, "elections")
    asked = {name for row in _conditional(document) for name in table_of(row, _KEY)}
    for name in elections:
        election = table_of(elections, name)
        if name in asked or "sets" in election:
            choices = list_of(election, "choices")
            yield from ({name: choice} for choice in choices if choice != _by_default(election))


def _by_default(election: Document) -> Choice:
    """What holds where a house has no answer; the first of the choices where the pack says nothing."""
    answer: Choice = election.get("by_default", list_of(election, "choices")[0])
    return answer


def _conditional(document: Mapping[str, Any]) -> Iterator[Document]:
    """What may be there for some answers of the house alone."""
    yield from rows_of(document, "patterns")
    yield table_of(document, "burns")


def _leave_out(found: Document, given: Mapping[str, Choice], wrong: list[str]) -> None:
    """Leave out what is for other answers than these; gives every mistake to `wrong`."""
    elections = table_of(found, "elections")
    others: list[Document] = []
    for row in _conditional(found):
        try:
            elected = _ELECTED.validate_python(row.pop(_KEY, {}))
        except ValidationError as error:
            wrong += [
                f"{place((_KEY, *problem['loc']), row)}: {problem['msg']}" for problem in error.errors()
            ]
            continue
        for name, choice in elected.items():
            choices = list_of(table_of(elections, name), "choices")
            if name not in elections:
                wrong.append(f"{_KEY}: no election is called {name}{nearest(name, elections)}")
            elif choice not in choices:
                wrong.append(f"{_KEY}: {choice!r} is no choice of the election {name}")
            elif choice != given.get(name, _by_default(table_of(elections, name))):
                others.append(row)
    if "patterns" in found:
        found["patterns"] = [row for row in list_of(found, "patterns") if not _among(row, others)]
    if _among(found.get("burns"), others):
        del found["burns"]


def _among(row: object, rows: list[Document]) -> bool:
    return any(row is one for one in rows)


def _set(name: str, election: Document, constants: Document, given: Choice | None) -> Iterator[str]:
    """Set what the answer sets; gives every mistake."""
    said = election.pop("sets", {})
    choices = list_of(election, "choices")
    if not choices:
        return
    words = [str(one) for one in choices]
    answer = _by_default(election) if given is None else given
    # By type as well: True would pass for 1.
    if given is not None and not any(type(given) is type(one) and given == one for one in choices):
        yield f"election {name}: {given!r} is none of its choices: {', '.join(words)}"
        return
    try:
        sets = _SETS.validate_python(said)
    except ValidationError as error:
        yield from (
            f"{place(('elections', name, 'sets', *problem['loc']), {})}: {problem['msg']}"
            for problem in error.errors()
        )
        return
    election["sets"] = list(sets)
    for constant, values in sets.items():
        yield from (
            f"election {name}: {constant} has no value for the choice {word}"
            for word in words
            if word not in values
        )
        yield from (
            f"election {name}: {constant} has a value for {word}, which is no choice{nearest(word, words)}"
            for word in values
            if word not in words
        )
        if str(answer) in values:
            constants[constant] = values[str(answer)]


def _filled(
    value: object,
    known: Document,
    unknown: list[tuple[tuple[int | str, ...], str]],
    path: tuple[int | str, ...],
) -> object:
    """The value with its names replaced; gives every name that nothing has, with its place, to `unknown`."""
    if isinstance(value, str):
        unknown += [(path, name) for name in _MARK.findall(value) if name not in known]
        return _MARK.sub(lambda mark: str(known.get(mark[1])), value)
    if isinstance(value, list):
        rows = cast("list[object]", value)
        return [_filled(one, known, unknown, (*path, index)) for index, one in enumerate(rows)]
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {name: _filled(one, known, unknown, (*path, name)) for name, one in table.items()}
    return value
