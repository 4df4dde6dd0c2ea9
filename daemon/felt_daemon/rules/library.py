"""The packs that come with the product, one TOML file per chapter."""

from __future__ import annotations

import hashlib
import tomllib
from importlib import resources
from typing import TYPE_CHECKING

from pydantic import ValidationError

from felt_daemon.rules.pack import Pack

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class BadPack(ValueError):  # noqa: N818 - it is what was met
    """A pack that does not load; the text lists every mistake, one a line."""


def _folder() -> Traversable:
    return resources.files("felt_daemon.rules") / "packs"


def chapters() -> tuple[str, ...]:
    """The chapters there are packs for, in order."""
    return tuple(
        sorted(
            entry.name.removesuffix(".toml") for entry in _folder().iterdir() if entry.name.endswith(".toml")
        )
    )


def text_of(chapter: str) -> str:
    """The pack's file as it stands; raises `BadPack` when there is none for this chapter."""
    if chapter not in chapters():
        raise BadPack(f"there is no pack for chapter {chapter}; there are: {', '.join(chapters())}")
    return (_folder() / f"{chapter}.toml").read_text(encoding="utf-8")


def digest_of(text: str) -> str:
    """SHA-256 of a pack's text, in hex: what the journal stores and rulings can be traced to."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_pack(text: str) -> Pack:
    """Read a pack; raises `BadPack` listing every mistake with its place."""
    try:
        return Pack.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadPack(f"not TOML: {error}") from None
    except ValidationError as error:
        lines = [f"{_place(problem['loc'])}: {problem['msg']}" for problem in error.errors()]
        raise BadPack("\n".join(lines)) from None


def _place(loc: tuple[int | str, ...]) -> str:
    return ".".join(f"[{part + 1}]" if isinstance(part, int) else part for part in loc) or "pack"


def load(chapter: str) -> Pack:
    """The chapter's pack; raises `BadPack`."""
    return parse_pack(text_of(chapter))
