"""The contract with the tools of others: AsyncAPI's parser, and ajv for JavaScript."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from felt_protocols import schemas
from felt_protocols.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).with_name("npm")
GOLDEN = Path(__file__).with_name("golden")
SCHEMAS = ROOT / "protocols" / "felt_protocols" / "schemas"
DOCUMENT = ROOT / "docs" / "asyncapi.json"

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm (Debian: nodejs, npm) is not installed"),
]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the tools into a folder that goes away."""
    folder = tmp_path_factory.mktemp("npm")
    for name in ("package.json", "package-lock.json", "check.cjs"):
        shutil.copy(HERE / name, folder)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
    installed = run("npm", "ci", *quiet, cwd=folder)
    assert installed.returncode == 0, installed.stderr
    return folder


def run(program: str, *words: str | Path, cwd: Path, told: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program of Node's in a folder; `told` is its standard input."""
    found = shutil.which(program)
    assert found is not None, program
    return subprocess.run(  # noqa: S603 - our own words
        [found, *words], cwd=cwd, input=told, capture_output=True, text=True, check=False
    )


def test_the_contract_is_one_for_the_tools_of_others(
    tools: Path, golden: dict[str, bytes], asyncapi: dict[str, Any]
) -> None:
    checked = run("node", "check.cjs", DOCUMENT, SCHEMAS, GOLDEN, cwd=tools)
    assert (checked.returncode, checked.stderr) == (0, "")
    # Beside events and commands: status, state, hold, device, cleared, dead-letter,
    # private, ack, reply, floor-status.
    assert json.loads(checked.stdout) == {
        "document": {
            "version": "3.0.0",
            "channels": len(asyncapi["channels"]),
            "operations": len(asyncapi["operations"]),
            "messages": len(golden) + len(COMMANDS) + 10,
        },
        "schemas": len(schemas.names()),
        "payloads": len(golden),
    }


def test_what_is_no_contract_is_found(tools: Path, tmp_path: Path) -> None:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    document["operations"]["receive-command"]["channel"]["$ref"] = "#/channels/commands"
    (tmp_path / "asyncapi.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "schemas").mkdir()
    for name in ("felt.message.envelope.v1", "felt.card.shoe-jammed.v1"):
        shutil.copy(SCHEMAS / f"{name}.json", tmp_path / "schemas")
    odd = json.loads((tmp_path / "schemas" / "felt.card.shoe-jammed.v1.json").read_text(encoding="utf-8"))
    odd["properties"]["where"]["maxlength"] = 5
    (tmp_path / "schemas" / "felt.card.shoe-jammed.v1.json").write_text(json.dumps(odd), encoding="utf-8")
    (tmp_path / "golden").mkdir()
    event = json.loads((GOLDEN / "felt.card.shoe-jammed.v1.json").read_bytes())
    event["late"] = "no"
    (tmp_path / "golden" / "late.json").write_text(json.dumps(event), encoding="utf-8")
    there = (tmp_path / "asyncapi.json", tmp_path / "schemas", tmp_path / "golden")
    checked = run("node", "check.cjs", *there, cwd=tools)
    assert checked.returncode == 1
    assert "'#/channels/commands' does not exist" in checked.stderr
    assert 'felt.card.shoe-jammed.v1.json: strict mode: unknown keyword: "maxlength"' in checked.stderr
    assert "late.json: there is no schema urn:felt:schema:card:shoe-jammed:1" in checked.stderr
    assert "late.json: urn:felt:schema:message:envelope:1: /late must be boolean" in checked.stderr


def test_the_program_on_the_page_takes_what_is_right_and_nothing_else(
    tools: Path, golden: dict[str, bytes]
) -> None:
    page = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```javascript\n(.*?)```", page, re.DOTALL)
    (tools / "page.cjs").write_text(program, encoding="utf-8")
    (tools / "schemas").symlink_to(SCHEMAS)
    event = golden["felt.card.shoe-jammed.v1"].decode()
    right = run("node", "page.cjs", cwd=tools, told=event)
    assert (right.returncode, right.stdout) == (0, "as promised: felt.card.shoe-jammed.v1\n")
    wrong = run("node", "page.cjs", cwd=tools, told=event.replace('"where":"exit"', '"where":7'))
    assert wrong.returncode == 1
    assert "data/where must be string" in wrong.stderr
