"""The contract with the tools of others: AsyncAPI's parser, and ajv for JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols import schemas
from felt_protocols.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

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

Checked = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Checked]:
    """Install the tools into a folder that goes away; give the program that checks with them."""
    folder = tmp_path_factory.mktemp("npm")
    for name in ("package.json", "package-lock.json", "check.cjs"):
        shutil.copy(HERE / name, folder)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
    installed = _run("npm", "ci", *quiet, cwd=folder)
    assert installed.returncode == 0, installed.stderr
    return lambda document, folder_of_schemas, folder_of_golden: _run(
        "node", "check.cjs", document, folder_of_schemas, folder_of_golden, cwd=folder
    )


def _run(program: str, *words: str | Path, cwd: Path) -> Checked:
    found = shutil.which(program)
    assert found is not None, program
    return subprocess.run([found, *words], cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def test_the_contract_is_one_for_the_tools_of_others(
    check: Callable[..., Checked], golden: dict[str, bytes], asyncapi: dict[str, Any]
) -> None:
    checked = check(DOCUMENT, SCHEMAS, GOLDEN)
    assert (checked.returncode, checked.stderr) == (0, "")
    # Beside events and commands: status, state, hold, device, cleared, private, ack, reply, floor-status.
    assert json.loads(checked.stdout) == {
        "document": {
            "version": "3.0.0",
            "channels": len(asyncapi["channels"]),
            "operations": len(asyncapi["operations"]),
            "messages": len(golden) + len(COMMANDS) + 9,
        },
        "schemas": len(schemas.names()),
        "payloads": len(golden),
    }


def test_what_is_no_contract_is_found(check: Callable[..., Checked], tmp_path: Path) -> None:
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
    checked = check(tmp_path / "asyncapi.json", tmp_path / "schemas", tmp_path / "golden")
    assert checked.returncode == 1
    assert "'#/channels/commands' does not exist" in checked.stderr
    assert 'felt.card.shoe-jammed.v1.json: strict mode: unknown keyword: "maxlength"' in checked.stderr
    assert "late.json: there is no schema urn:felt:schema:card:shoe-jammed:1" in checked.stderr
    assert "late.json: urn:felt:schema:message:envelope:1: /late must be boolean" in checked.stderr
