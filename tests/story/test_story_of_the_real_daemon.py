"""The real daemon's journal: a table is played as a program, and its incidents are told and handed on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Felt

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["shoe-jam", "kill-while-held"])
def test_every_incident_of_a_played_table_is_told_and_its_bundle_is_sound(
    felt: Felt, tmp_path: Path, scenario: str
) -> None:
    subprocess.run(  # noqa: S603 - a program of ours
        [
            sys.executable,
            "-c",
            "import sys; from felt_simulators.cli import main; sys.exit(main())",
            "play",
            str(ROOT / "examples" / "scenarios" / f"{scenario}.toml"),
            "--quiet",
            "--keep",
            str(tmp_path / "run"),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    [journal] = (tmp_path / "run").rglob("journal.db")
    code, out, _ = felt("incident", "list", "--journal", journal, "--json")
    assert code == 0
    found = json.loads(out)["incidents"]
    assert found
    for one in found:
        code, out, _ = felt("incident", "show", str(one["number"]), "--journal", journal)
        assert (code, one["says"].split()[0] in out) == (0, True)
        assert felt("incident", "export", str(one["number"]), "--journal", journal, "--to", tmp_path)[0] == 0
        code, out, _ = felt("journal", "verify", tmp_path / f"incident-{one['table']}-{one['number']}.zip")
        assert (code, "faults: none" in out) == (0, True)
