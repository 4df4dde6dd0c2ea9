"""What is typed at a reader, a station and a generator, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_simulators.chance import seeded
from felt_simulators.cli import main
from felt_simulators.cli.console import Console
from felt_simulators.devices.generator import Generator, GeneratorBuild
from felt_simulators.devices.hole_card_reader import HoleCardReader, ReaderBuild
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.station_build import StationBuild
from felt_simulators.faults import GENERATOR, READER, STATION
from felt_simulators.felt import read_plan, set_up
from felt_simulators.line import Line
from felt_simulators.station import Station

if TYPE_CHECKING:
    from pathlib import Path

    from felt_simulators.cli.console import Machine

TABLE = """
[table]
id = "table-1"
[control]
socket = "control"
[decks.red]
back = "red"
[devices.reader-1]
family = "hole-card-reader"
serial = "rd-9"
[devices.station-1]
family = "progressive-station"
[devices.generator-1]
family = "rng"
"""


def typed(machine: Machine, folder: Path, *lines: str) -> list[str]:
    """What is answered to each line that is typed."""
    console = Console(machine, Station(machine, Line(folder / "line", seeded(1))))
    return [console.act(line, float(second)) for second, line in enumerate(lines)]


def test_a_card_is_put_into_a_reader_and_taken_out(tmp_path: Path) -> None:
    reader = HoleCardReader(ReaderBuild(shutter=False), seeded(1), 0.0)
    assert typed(reader, tmp_path, "insert ks AH", "remove", "remove", "insert KS", "insert 1S AH") == [
        "inserted under AH",
        "removed KS",
        "refused: hole-card-reader: cannot remove: no card is in it",
        "refused: write insert CARD UP-CARD, as insert KS AH",
        "refused: write insert CARD UP-CARD, as insert KS AH",
    ]
    assert reader.truth["readings"][0]["told"] == "yes"


def test_a_readers_case_is_opened_and_closed(tmp_path: Path) -> None:
    reader = HoleCardReader(ReaderBuild(), seeded(1), 0.0)
    assert typed(reader, tmp_path, "case open", "case close", "case") == [
        "case open",
        "case close",
        "refused: write case open or case close",
    ]


def test_a_round_of_wagers_is_typed_at_a_station(tmp_path: Path) -> None:
    station = ProgressiveStation(StationBuild(), seeded(1), 0.0)
    assert typed(station, tmp_path, "bet 1", "bet 3", "take 3", "bet", "start", "look", "collect") == [
        "bet at seat 1",
        "bet at seat 3",
        "take at seat 3",
        "refused: write bet SEAT, as bet 3",
        "pressed Start Game",
        "1: on  2: off  3: off  4: off  5: off  6: off",
        "collected from 1",
    ]
    assert typed(station, tmp_path, "hand 1 flush", "hand flush", "key reset on", "key reset") == [
        "keyed in flush for seat 1",
        "refused: write hand SEAT RANK, as hand 3 flush",
        "key reset on",
        "refused: write key NAME on or key NAME off",
    ]


def test_an_amount_is_looked_at_with_two_digits_for_its_cents(tmp_path: Path) -> None:
    station = ProgressiveStation(StationBuild(seats=2), seeded(1), 0.0)
    station._meters["main"] = 1_234_505
    assert typed(station, tmp_path, "look") == ["main: 12345.05\n1: off  2: off"]


def test_a_generators_display_is_looked_at(tmp_path: Path) -> None:
    generator = Generator(GeneratorBuild(), seeded(1), 0.0)
    assert typed(generator, tmp_path, "look") == ["its display is dark"]
    generator._shown = 5
    assert typed(generator, tmp_path, "look", "power", "look") == [
        "it shows 5",
        "switched off and on",
        "its display is dark",
    ]


@pytest.mark.parametrize(
    "family", ["shuffler", "shoe", "shaker", "dealers-panel", READER, STATION, GENERATOR]
)
def test_each_family_can_be_run_alone(
    family: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", family, "--link", str(tmp_path / "port"), "--fault", "none-such"]) == 2
    assert "no fault is called none-such" in capsys.readouterr().err


def test_a_configuration_puts_them_on_the_felt(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    machines = set_up(read_plan(path), tmp_path / "lines", 7)
    try:
        assert machines.the(HoleCardReader).truth["serial"] == "rd-9"
        assert machines.the(ProgressiveStation).truth["serial"] == "station-1-0001"
        assert machines.the(Generator).truth["serial"] == "generator-1-0001"
        assert machines.cable("reader-1").line.link.is_symlink()
    finally:
        machines.close()
