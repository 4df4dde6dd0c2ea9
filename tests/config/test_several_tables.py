"""The files of several tables that one process runs: what they may not share, and what they must."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.config import ConfigError, load_all

if TYPE_CHECKING:
    from pathlib import Path

Written = Callable[..., "tuple[Path, Path]"]
# Every place in the valid configuration that a second table has otherwise.
OTHERWISE = (("asia-1", "asia-2"), ("ttyS0", "ttyS5"), ("ttyS1", "ttyS6"), ("ttyS2", "ttyS7"))


@pytest.fixture
def two(tmp_path: Path, valid: str) -> Written:
    """Two valid files, of which the second has a text in place of another."""

    def written(old: str = "", new: str = "", *, first: str = valid) -> tuple[Path, Path]:
        text = first
        for mine, other in OTHERWISE:
            text = text.replace(mine, other)
        assert not old or old in text
        paths = (tmp_path / "one.toml", tmp_path / "two.toml")
        paths[0].write_text(first, encoding="utf-8")
        paths[1].write_text(text.replace(old, new) if old else text, encoding="utf-8")
        return paths

    return written


def _mistakes(paths: tuple[Path, ...]) -> list[tuple[str, int, str, str]]:
    with pytest.raises(ConfigError) as caught:
        load_all(paths)
    folder = f"{paths[0].parent}/"
    return [
        (one.file.removeprefix(folder), one.line, one.key, one.text.replace(folder, ""))
        for one in caught.value.problems
    ]


def test_two_tables_may_share_a_broker_a_journal_and_a_socket(two: Written) -> None:
    configs = load_all(two())
    assert [config.table.id for config in configs] == ["asia-1", "asia-2"]


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        (
            "asia-2",
            "asia-1",
            (
                "two.toml",
                2,
                "table.id",
                (
                    "one.toml:2 is this table already; its id is its name in the journal and its client id"
                    " at the broker"
                ),
            ),
        ),
        (
            "/dev/ttyS7",
            "/dev//ttyS1",
            ("two.toml", 28, "devices.shaker-1.port", "one.toml:23 has this port already"),
        ),
    ],
)
def test_what_two_tables_may_not_share_is_refused_where_it_stands_again(
    two: Written, old: str, new: str, mistake: tuple[str, int, str, str]
) -> None:
    assert _mistakes(two(old, new)) == [mistake]


def test_a_serial_number_belongs_to_one_table(two: Written, valid: str) -> None:
    paths = two(first=valid.replace('family = "shoe"', 'family = "shoe"\nserial = "DS-1"'))
    assert _mistakes(paths) == [
        ("two.toml", 23, "devices.shoe-1.serial", "one.toml:23 has this serial number already")
    ]


def test_tables_of_one_process_have_one_journal(two: Written) -> None:
    paths = two("[broker]", '[journal]\ndirectory = "/srv/feltd"\n\n[broker]')
    assert _mistakes(paths) == [
        (
            "two.toml",
            37,
            "journal.directory",
            "one.toml:1 has /var/lib/feltd; tables of one process have one journal",
        )
    ]
    same = two("[broker]", '[journal]\ndirectory = "/var/lib//feltd"\n\n[broker]')
    assert len(load_all(same)) == 2


@pytest.mark.parametrize(("port", "mistakes"), [(0, 0), (1884, 1)])
def test_two_brokers_of_their_own_have_two_ports(two: Written, valid: str, port: int, mistakes: int) -> None:
    own = f'mode = "embedded"\nport = {port}'
    paths = two(first=valid.replace('mode = "external"\nhost = "broker.floor.example"', own))
    if not mistakes:
        assert len(load_all(paths)) == 2
        return
    assert _mistakes(paths) == [
        ("two.toml", 38, "broker.port", "one.toml:38 has a broker on this port already")
    ]


def test_every_mistake_of_every_file_is_told_in_one_run(two: Written, tmp_path: Path, valid: str) -> None:
    one, second = two("asia-2", "asia-1")
    one.write_text(valid.replace("57600", "57601"), encoding="utf-8")
    (tmp_path / "three.toml").write_bytes(b"\xff")
    found = _mistakes((one, second, tmp_path / "three.toml"))
    assert [(file, line) for file, line, _, _ in found] == [
        ("one.toml", 24),
        ("two.toml", 2),
        ("three.toml", 1),
    ]


def test_a_file_that_is_given_twice_is_one_table_twice(two: Written) -> None:
    one, _ = two()
    assert {key for _, _, key, _ in _mistakes((one, one))} == {
        "table.id",
        "devices.shuffler-1.port",
        "devices.shoe-1.port",
        "devices.shaker-1.port",
    }


def test_check_config_shows_the_values_of_each(two: Written, capsys: pytest.CaptureFixture[str]) -> None:
    one, second = two()
    assert main(["check-config", str(one), str(second)]) == exits.OK
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"{one}: table asia-1"
    assert f"{second}: table asia-2" in told
    assert sum(line.startswith("digest ") for line in told) == 2
    assert main(["check-config", "--json", str(one), str(second)]) == exits.OK
    document = json.loads(capsys.readouterr().out)
    assert (document["valid"], document["files"]) == (True, [str(one), str(second)])
    assert [table["file"] for table in document["tables"]] == [str(one), str(second)]


def test_check_config_tells_the_mistakes_of_all(two: Written, capsys: pytest.CaptureFixture[str]) -> None:
    one, second = two("asia-2", "asia-1")
    assert main(["check-config", str(one), str(second)]) == exits.BAD_CONFIG
    told = capsys.readouterr()
    assert told.out.startswith(f'{second}:2: table.id = "asia-1": {one}:2 is this table already')
    assert told.err == "1 mistake; feltd does not start with these files\n"
    assert main(["check-config", "--json", str(one), str(second)]) == exits.BAD_CONFIG
    assert [problem["key"] for problem in json.loads(capsys.readouterr().out)["problems"]] == ["table.id"]
