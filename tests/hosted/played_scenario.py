"""A scenario of the examples, played by the program `felt-sim` at a table that the real daemon runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCENARIOS = Path(__file__).resolve().parents[2] / "examples" / "scenarios"


def journal_of(scenario: str, folder: Path) -> Path:
    """Play it, and keep what the daemon left behind in this folder; its journal."""
    program = "import sys; from felt_simulators.cli import main; sys.exit(main())"
    subprocess.run(  # noqa: S603 - a program of ours
        [
            sys.executable,
            "-c",
            program,
            "play",
            str(SCENARIOS / f"{scenario}.toml"),
            "--quiet",
            "--keep",
            str(folder),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    [journal] = folder.rglob("journal.db")
    return journal
