"""A whole table from a configuration: three machines, and a dealer's panel where one is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.shoe import Shoe
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


GAME = """
[table]
id = "table-1"
game = "{0}"
[control]
socket = "control"
[decks.red]
back = "red"
{1}
"""


def of_family(family: str) -> str:
    """One device of a family in a configuration."""
    return f'[devices.{family}-1]\nfamily = "{family}"\n'


@pytest.mark.parametrize(
    ("game", "elections", "kind"),
    [
        ("659a", "", Shoe),
        ("663a", "", Shoe),
        ("663a", '[elections]\ndeal = "manual-shoe"\n', ManualShoe),
        ("665a", "", ManualShoe),
        ("673a", "", ManualShoe),
    ],
)
def test_the_game_and_the_house_choose_the_shoe(
    tmp_path: Path, game: str, elections: str, kind: type[object]
) -> None:
    plan = read_plan(written(tmp_path, GAME.format(game, elections + of_family("shoe"))))
    machines = set_up(plan, tmp_path / "lines", 7)
    try:
        assert type(machines.devices["shoe-1"]) is kind
    finally:
        machines.close()


def test_672a_12_a_a_double_shoe_stands_where_the_text_knows_one(tmp_path: Path) -> None:
    for game, double in (("672a", True), ("665a", False)):
        plan = read_plan(written(tmp_path, GAME.format(game, of_family("shoe"))))
        machines = set_up(plan, tmp_path / "lines", 7)
        machines.close()
        assert machines.the(ManualShoe).build.double is double


def test_686a_3_a_a_continuous_shuffler_stands_at_the_table_alone(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, GAME.format("686a", of_family("continuous-shuffler"))))
    machines = set_up(plan, tmp_path / "lines", 7)
    try:
        assert machines.the(ContinuousShuffler).truth["serial"] == "continuous-shuffler-1-0001"
        assert machines.perhaps(Shoe) is None
    finally:
        machines.close()
