"""A whole table from a configuration: three machines, and a dealer's panel where one is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_simulators.felt import Machines, NoTable, read_plan, set_up

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
[table]
id = "table-1"
[control]
socket = "control"
[decks.red]
back = "red"
[devices.shuffler-1]
family = "shuffler"
[devices.shoe-1]
family = "shoe"
[devices.shaker-1]
family = "shaker"
serial = "sk-9"
"""
PANEL = """
[devices.panel-{0}]
family = "dealers-panel"
serial = "pn-{0}"
"""


def written(folder: Path, text: str) -> Path:
    """A configuration in a file."""
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def boots(machines: Machines) -> list[object]:
    """When the three machines started, and with which boot ids."""
    return [
        machines.shuffler.truth["boots"],
        machines.shoe.truth["boots"],
        machines.shaker.truth["boots"],
    ]


def test_a_table_without_a_panel_has_none(tmp_path: Path) -> None:
    machines = set_up(read_plan(written(tmp_path, TABLE)), tmp_path / "lines", 7)
    try:
        assert machines.panel is None
        assert sorted(machines.cables) == ["shaker-1", "shoe-1", "shuffler-1"]
    finally:
        machines.close()


def test_a_panel_stands_on_its_own_line_and_changes_no_chance_of_the_others(tmp_path: Path) -> None:
    plain = set_up(read_plan(written(tmp_path, TABLE)), tmp_path / "lines", 7)
    plain.close()
    machines = set_up(read_plan(written(tmp_path, TABLE + PANEL.format(1))), tmp_path / "lines", 7)
    try:
        assert machines.panel is not None
        assert machines.panel.truth["serial"] == "pn-1"
        assert machines.cable("panel-1").device is machines.panel
        assert machines.cable("panel-1").line.link.is_symlink()
        assert boots(plain) == boots(machines)
    finally:
        machines.close()


def test_a_table_has_one_panel_at_most(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, TABLE + PANEL.format(1) + PANEL.format(2)))
    with pytest.raises(NoTable, match="one dealers-panel; this configuration has 2"):
        set_up(plan, tmp_path / "lines", 7)
