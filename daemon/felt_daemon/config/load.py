"""From a configuration file to a frozen `Config`, or to every mistake in it."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pydantic import ValidationError

from felt_daemon.config import document as documents
from felt_daemon.config import hints, schema
from felt_daemon.config.certificates import certificate_problems
from felt_daemon.config.checks import contradictions
from felt_daemon.config.config import Config
from felt_daemon.config.elections import answers
from felt_daemon.config.encoding import decoded
from felt_daemon.config.fields import ID_WORDS, expected
from felt_daemon.config.game import elected_problems, found
from felt_daemon.config.model import Sections
from felt_daemon.config.packs import folder_of, folder_problems, packs_of
from felt_daemon.config.positions import dotted
from felt_daemon.config.problems import ConfigError, Problem, UnreadableConfig
from felt_daemon.config.register import register_problems
from felt_daemon.config.together import together
from felt_protocols.events.person import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import ErrorDetails

    from felt_daemon.config.document import Document, Unread
    from felt_daemon.config.fields import Expect
    from felt_daemon.config.game import Game
    from felt_daemon.config.positions import Key

LARGEST_FILE = 256 * 1024
_SECRET_WORDS = ("password", "passwd", "secret", "token")


def load(path: str | os.PathLike[str]) -> Config:
    """The configuration in a file.

    The register of people and the certificates that it names are read as well. Raises `ConfigError` with
    every mistake, or `UnreadableConfig` where there is no file to check.
    """
    (config,) = load_all((path,))
    return config


def load_all(
    paths: Iterable[str | os.PathLike[str]], *, named_files: bool = True, clock_set: bool = True
) -> tuple[Config, ...]:
    """The configurations of the tables of one process, each checked as by `load`, and all together.

    Raises `ConfigError` with every mistake, file by file, or `UnreadableConfig`. Without `named_files`,
    registers and certificates are not looked at; without `clock_set`, none is too old or too new.
    """
    now = dt.datetime.now(dt.UTC) if clock_set else None
    files = [os.fspath(path) for path in paths]
    read: list[Document] = []
    refused: list[Problem] = []
    for file in files:
        data = _bytes(file)
        try:
            read.append(documents.read(decoded(data, file), file))
        except ConfigError as error:
            refused += error.problems
    configs: list[Config] = []
    for document, others in zip(read, together(read), strict=True):
        named = (*register_problems(document), *certificate_problems(document, now)) if named_files else ()
        try:
            configs.append(_checked(document, (*named, *others)))
        except ConfigError as error:
            refused += error.problems
    if refused:
        raise ConfigError(tuple(sorted(refused, key=lambda problem: files.index(problem.file))))
    return tuple(configs)


def parse(data: bytes, file: str) -> Config:
    """The configuration in the bytes of a file; beside it only rule packs are read.

    Raises `ConfigError` with every mistake.
    """
    return _checked(documents.read(decoded(data, file), file), ())


def _checked(document: Document, found_outside: Iterable[Problem]) -> Config:
    packs = packs_of(folder_of(document))
    game, mistakes = found(document, packs)
    sections, problems = _validated(document, game)
    problems += [*folder_problems(document), *mistakes, *contradictions(document, game), *found_outside]
    problems += [_unread_problem(document, unread, game) for unread in document.unread]
    if problems or sections is None or game is None:
        raise _refused(problems)
    held = answers(sections.elections, game.elections)
    if problems := elected_problems(document, game, packs, held):
        raise _refused(problems)
    return Config.of(sections.model_copy(update={"elections": held}), document)


def _refused(problems: Iterable[Problem]) -> ConfigError:
    return ConfigError(tuple(sorted(problems, key=lambda problem: problem.line)))


def _bytes(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableConfig(f"{file}: cannot be read: {error.strerror}") from error
    if len(data) > LARGEST_FILE:
        raise UnreadableConfig(f"{file}: larger than {LARGEST_FILE} bytes: no configuration of a table")
    return data


def _validated(document: Document, game: Game | None) -> tuple[Sections | None, list[Problem]]:
    tree = dict(document.tree)
    problems: list[Problem] = []
    broker = documents.as_table(tree.get("broker"))
    modes = schema.broker_modes()
    if broker is not None and broker.get("mode") not in modes:
        # The other keys are checked all the same, as those of the first mode.
        if document.has(("broker", "mode")) or not document.lost(("broker", "mode")):
            problems.append(_mode_problem(document, modes))
        tree["broker"] = {**broker, "mode": modes[0]}
    try:
        return Sections.model_validate(tree), problems
    except ValidationError as error:
        return None, problems + _translated(document, error.errors(include_url=False), game)


def _translated(document: Document, errors: list[ErrorDetails], game: Game | None) -> list[Problem]:
    """Our words for pydantic's errors; silence about keys that are missing because they could not be read.

    What an answer must be, the game's elections know better.
    """
    found = [
        _problem(document, error, game)
        for error in errors
        if not (_lost(document, error) or (game is not None and _key(error)[:-1] == ("elections",)))
    ]
    return list({problem.key: problem for problem in found}.values())


def _lost(document: Document, error: ErrorDetails) -> bool:
    return error["type"] == "missing" and document.lost(_key(error))


def _key(error: ErrorDetails) -> Key:
    key = tuple(part for part in error["loc"] if part != "[key]")
    # The second part is pydantic's name for the variant.
    return (*key[:1], *key[2:]) if key[:1] == ("broker",) else key


def _mode_problem(document: Document, modes: tuple[str, ...]) -> Problem:
    key = ("broker", "mode")
    words = "must be one of " + ", ".join(f'"{mode}"' for mode in modes)
    given = document.has(key)
    text = hints.with_nearest(words, document.value(*key), modes) if given else f"missing; {words}"
    return Problem(document.file, document.line(key), dotted(key), document.written(key), text)


def _problem(document: Document, error: ErrorDetails, game: Game | None) -> Problem:
    key = _key(error)
    kind = error["type"]
    if kind == "extra_forbidden":
        text = hints.unknown_key(document, key)
    elif kind == "missing":
        text = _missing(document, key)
    elif error["loc"][-1] == "[key]":
        text = _bad_name(document, key)
    else:
        text = _bad_value(document, key, game)
    value = "" if kind == "missing" else _shown(document, key)
    return Problem(document.file, document.line(key), dotted(key), value, text)


def _missing(document: Document, key: Key) -> str:
    found = schema.find(key, document.tree)
    if isinstance(found, schema.Setting):
        return f"missing; must be {expected(found.field).words}. {found.field.description}"
    example = f"[{dotted(key)}.NAME]" if isinstance(found, schema.Named) else f"[{dotted(key)}]"
    return f"missing; the file needs a table {example}"


def _bad_name(document: Document, key: Key) -> str:
    if key[:-1] == ("control", "roles"):
        roles = get_args(Role)
        return hints.with_nearest("unknown role; must be one of " + ", ".join(roles), key[-1], roles)
    return hints.belongs_to_a_device(document, key) or f"the name must be {ID_WORDS}"


def _right(key: Key, setting: schema.Setting, game: Game | None) -> Expect:
    """What a value must be: as the game has it, or as the models do."""
    return (None if game is None else game.expected(key)) or expected(setting.field)


def _bad_value(document: Document, key: Key, game: Game | None) -> str:
    found = schema.find(key, document.tree)
    if isinstance(found, schema.Setting):
        right = _right(key, found, game)
        given = document.value(*(str(part) for part in key))
        return hints.with_nearest(
            f"must be {right.words}", given, tuple(right.choices()) if right.choices else ()
        )
    home = hints.belongs_to_a_device(document, key)
    return home or f"must be a table: [{dotted(key)}]"


def _shown(document: Document, key: Key) -> str:
    written = document.written(key)
    secret = any(word in str(key[-1]).casefold() for word in _SECRET_WORDS)
    return "(not shown)" if secret and written and key[-1] != "password_file" else written


def _unread_problem(document: Document, unread: Unread, game: Game | None) -> Problem:
    found = schema.find(unread.key, document.tree)
    right = ""
    if isinstance(found, schema.Setting) and unread.kind == "value":
        right = f"; must be {_right(unread.key, found, game).words}"
    elif found is None and unread.key:
        right = f"; {hints.unknown_key(document, unread.key)}"
    secret = unread.key and any(word in str(unread.key[-1]).casefold() for word in _SECRET_WORDS)
    value = "(not shown)" if secret and unread.value else unread.value
    return Problem(document.file, unread.line, dotted(unread.key), value, unread.text + right)
