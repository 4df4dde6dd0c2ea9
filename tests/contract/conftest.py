"""The contract: its files, what they are made of, and validators of them."""

from __future__ import annotations

import functools
import json
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from felt_protocols import schemas

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).with_name("golden")
# Programs of script/ find each other beside themselves.
sys.path.append(str(ROOT / "script"))


@functools.cache
def _validator(name: str) -> jsonschema_rs.Validator:
    schema = schemas.schema_of(name)
    assert schema is not None, name
    return jsonschema_rs.Draft202012Validator(schema)


@pytest.fixture(scope="session")
def obeys() -> Callable[[str, object], bool]:
    """Tell whether a document obeys the published schema of this name."""
    return lambda name, document: _validator(name).is_valid(document)


@pytest.fixture(scope="session")
def faults() -> Callable[[str, object], list[str]]:
    """Tell where a document breaks the published schema of this name."""
    return lambda name, document: [str(error) for error in _validator(name).iter_errors(document)]


@pytest.fixture(scope="session")
def golden() -> dict[str, bytes]:
    """Give the golden payload of every version of every event."""
    return {path.stem: path.read_bytes().removesuffix(b"\n") for path in sorted(GOLDEN.glob("*.json"))}


@pytest.fixture(scope="session")
def told(golden: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    """Give the golden payloads as a consumer reads them."""
    return {name: json.loads(payload) for name, payload in golden.items()}


@pytest.fixture(scope="session")
def program() -> dict[str, Any]:
    """What `script/contract` is made of."""
    return runpy.run_path(str(ROOT / "script" / "contract"))


@pytest.fixture
def asyncapi() -> dict[str, Any]:
    """Give the AsyncAPI document, each test its own."""
    document: dict[str, Any] = json.loads((ROOT / "docs" / "asyncapi.json").read_text(encoding="utf-8"))
    return document
