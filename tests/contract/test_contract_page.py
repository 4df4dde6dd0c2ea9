"""docs/contract.md: its files are there, its sample is one, and its programs run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_protocols import schemas
from felt_protocols.events import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
JAMMED = "felt.card.shoe-jammed.v1"


def block(language: str) -> str:
    """The only block of this language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def run_python(payload: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the page's program with an event."""
    return subprocess.run(  # noqa: S603 - the page's own program
        [sys.executable, "-c", block("python")], input=payload, capture_output=True, check=False
    )


def test_the_sample_is_the_golden_payload(golden: dict[str, bytes], told: dict[str, dict[str, Any]]) -> None:
    sample = json.loads(block("json"))
    assert sample == told[JAMMED]
    assert json.dumps(sample, separators=(",", ":")).encode() == golden[JAMMED]


def test_every_schema_that_is_no_event_has_its_row_on_the_page() -> None:
    kinds = {event.kind for event in EVENTS.values()}
    for name in schemas.names():
        _felt, group, what, version = name.split(".")
        if group in kinds or group == "command":
            continue
        ways = (f"`{name}`", f"`.{what}.`", f"`{what}`")
        assert any(way in PAGE for way in ways), name
        assert version == "v1"
    for name in re.findall(r"`(felt\.[a-z]+\.[a-z-]+\.v\d+)`", PAGE):
        assert schemas.schema_of(name) is not None, name


def test_every_file_on_the_page_is_there() -> None:
    for place in re.findall(r"`((?:protocols|tests|script|felt_protocols)/[\w/.-]+)`", PAGE):
        found = ROOT / place if not place.startswith("felt_protocols/") else ROOT / "protocols" / place
        assert found.exists() or place.endswith("/NAME.json"), place


def test_the_program_in_python_takes_what_is_right_and_nothing_else(golden: dict[str, bytes]) -> None:
    right = run_python(golden[JAMMED])
    assert (right.returncode, right.stdout) == (0, f"as promised: {JAMMED}\n".encode())
    newer = run_python(golden[JAMMED].replace(b"shoe-jammed.v1", b"shoe-jammed.v9"))
    assert (newer.returncode, newer.stdout) == (0, b"newer than these schemas: felt.card.shoe-jammed.v9\n")
    wrong = run_python(golden[JAMMED].replace(b'"where":"exit"', b'"where":7'))
    assert wrong.returncode == 1
    assert b'7 is not of type "string"' in wrong.stderr


def test_what_the_page_shows_of_script_contract_is_what_it_says(
    program: dict[str, Any], tmp_path: Path
) -> None:
    shown = PAGE.partition("## Changing it")[2].partition("```\n")[2].partition("```")[0].splitlines()
    with_speed = schemas.schema_of(JAMMED)
    without_where = schemas.schema_of(JAMMED)
    assert with_speed is not None
    assert without_where is not None
    with_speed["properties"]["speed"] = {"type": "integer"}
    del without_where["properties"]["where"]
    folder = tmp_path / "protocols" / "felt_protocols" / "schemas"
    folder.mkdir(parents=True)
    (folder / f"{JAMMED}.json").write_text(json.dumps(schemas.schema_of(JAMMED)), encoding="utf-8")
    for line, made in zip(shown, (with_speed, without_where), strict=True):
        [said] = program["Contract"]({JAMMED: made}, tmp_path).wrong()
        assert said.startswith(line.removesuffix(" …"))


def test_patterns_are_plain_enough_for_every_engine() -> None:
    texts = [json.dumps(schemas.schema_of(name)) for name in schemas.names()]
    patterns = {json.loads(f'"{one}"') for text in texts for one in re.findall(r'"pattern": "([^"]+)"', text)}
    assert [one for one in patterns if re.search(r"\\[^.]|\(\?", one)] == []


def test_only_ages_and_times_of_health_have_decimals() -> None:
    fields = {field for name in schemas.names() for field in with_decimals(schemas.schema_of(name))}
    assert fields == {"age_s", "at_s"}


def with_decimals(part: object) -> Iterator[str]:
    """The fields in a schema whose value may be a number that is no integer."""
    if isinstance(part, dict):
        for field, one in part.get("properties", {}).items():
            if any(form.get("type") == "number" for form in (one, *one.get("anyOf", ()))):
                yield field
        for inner in part.values():
            yield from with_decimals(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from with_decimals(inner)
