"""The units for several tables on one box: one process for all, or a process for each."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "systemd"


def _lines(name: str) -> list[str]:
    return (UNITS / name).read_text(encoding="utf-8").splitlines()


def test_the_service_runs_whatever_tables_are_named() -> None:
    lines = _lines("feltd.service")
    assert "Environment=TABLES=/etc/feltd/table.toml" in lines
    # Without braces, so that several files are several words.
    assert "ExecStart=/opt/feltd/bin/felt run $TABLES" in lines


def test_a_process_for_each_table_is_the_same_service_with_folders_of_its_own() -> None:
    one = [line for line in _lines("feltd.service") if "TABLES" not in line and "`systemctl edit" not in line]
    each = _lines("feltd@.service")
    assert [line for line in each if line not in one] == [
        "Description=feltd, the controller of casino card table %i",
        "RequiresMountsFor=/var/lib/feltd-%i",
        "ExecStart=/opt/feltd/bin/felt run /etc/feltd/%i.toml",
        # Not folders within those of feltd.service: systemd takes those away when that one stops.
        "StateDirectory=feltd-%i",
        "RuntimeDirectory=feltd-%i",
    ]
    assert len([line for line in one if line not in each]) == 4


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_understands_every_line_of_a_table_of_its_own(tmp_path: Path) -> None:
    text = "\n".join(_lines("feltd@.service")) + "\n"
    copy = tmp_path / "feltd@asia-1.service"
    # The program is not installed here.
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    verified = subprocess.run(  # noqa: S603 - no word of it comes from outside
        ["systemd-analyze", "verify", "--man=no", copy],  # noqa: S607 - whichever systemd there is
        capture_output=True,
        text=True,
        check=False,
    )
    about_it = [line for line in verified.stderr.splitlines() if "feltd@" in line]
    assert (verified.returncode, about_it) == (0, [])
