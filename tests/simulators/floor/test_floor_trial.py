"""Tables, a broker and a consumer as the processes that they are, and what the command says of them."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from felt_simulators import cli
from felt_simulators.cli.floor import INTERRUPTED, NOT_AS_EXPECTED, OK, RUN_FAILED, USAGE, report, summary
from felt_simulators.floor.trial import FAULTS, Plan, Trial
from felt_simulators.floor.usage import children

if TYPE_CHECKING:
    from pathlib import Path

    from felt_simulators.floor.trial import Fault

COMPLETE = {"missing": 0, "doubled": 0, "out_of_order": 0, "wrong": 0}


def tried(folder: Path, plan: Plan) -> dict[str, Any]:
    told: list[str] = []
    found = asyncio.run(Trial(plan, folder, told.append).run())
    assert f"{found['sent']:,} events sent, {found['sent']:,} acknowledged" in told[-1]
    return found


def amiss(found: dict[str, Any]) -> dict[str, int]:
    return {name: found[name] for name in COMPLETE}


@pytest.mark.long
def test_a_few_tables_for_a_moment(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["floor", "--tables", "3", "--seconds", "1", "--rate", "20", "--json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert amiss(found) == COMPLETE
    assert found["complete"]
    assert found["sent"] == found["received"] >= 20
    assert found["consumer"]["health"]["unproved"] == 0
    assert found["consumer"]["health"]["unknown"] == 0
    assert found["consumer"]["health"]["breaches"] == 0
    assert found["consumer"]["health"]["given"] == found["sent"]
    assert found["connections"] == 3
    for part in ("consumer", "simulated_tables", "broker"):
        assert found[part]["cpu_s"] > 0
        assert found[part]["peak_mb"] > 0
    assert found["acknowledged_ms"]["p50"] > found["handed_over_ms"]["p50"] > 0


def test_a_few_tables_whose_broker_and_consumer_die(tmp_path: Path) -> None:
    found = tried(tmp_path, Plan(tables=3, seconds=2.0, rate=20.0, seed=7, faults=FAULTS))
    assert amiss(found) == COMPLETE
    assert found["complete"]
    assert found["faults"].pop("cut") > 0
    assert found["faults"] == {"broker-kill": 1, "consumer-kill": 1, "consumer-freeze": 1}
    assert found["connections"] > 3


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("faults", [(), ("broker-kill",), FAULTS], ids=["none", "broker-kill", "all"])
def test_two_hundred_tables_lose_nothing(faults: tuple[Fault, ...], tmp_path: Path) -> None:
    found = tried(tmp_path, Plan(tables=200, seconds=30.0, rate=5.0, seed=7, faults=faults))
    assert amiss(found) == COMPLETE
    assert found["complete"]
    assert found["worst"] == []
    assert found["received"] > 10_000
    assert all(times > 0 for times in found["faults"].values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tables", "0"], "'0' is not 1 to 999"),
        (["--tables", "1000"], "'1000' is not 1 to 999"),
        (["--seconds", "0"], "'0' is no number above 0"),
        (["--rate", "inf"], "'inf' is no number above 0"),
        (["--rate", "x"], "'x' is no number above 0"),
        (["--faults", "rain"], "no fault is called 'rain'; there are broker-kill, consumer-kill"),
        (["--broker", "1883"], "'1883' is not HOST:PORT"),
        (["--broker", "host:x"], "'host:x' is not HOST:PORT"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["floor", *words])
    assert left.value.code == USAGE
    assert said in capsys.readouterr().err


def test_a_broker_of_somebody_elses_is_not_killed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["floor", "--broker", "127.0.0.1:1", "--faults", "broker-kill"]
    assert cli.main(words) == USAGE
    assert "a broker of your own is not killed" in capsys.readouterr().err


def test_a_trial_that_cannot_begin_says_what_its_parts_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_simulators.floor.trial.felt", lambda: "/bin/false")
    assert cli.main(["floor"]) == RUN_FAILED
    assert capsys.readouterr().err == "felt-sim: a process of the trial ended with code 1\n"
    monkeypatch.setattr("felt_simulators.floor.trial.felt", lambda: "/nowhere/felt")
    assert cli.main(["floor"]) == RUN_FAILED
    assert capsys.readouterr().err == "felt-sim: /nowhere/felt cannot be started: No such file or directory\n"


@pytest.mark.long
def test_a_broker_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["floor", "--tables", "1", "--broker", "127.0.0.1:1"]) == RUN_FAILED
    assert "felt-sim: no table can connect to 127.0.0.1:1\n" in capsys.readouterr().err


@pytest.mark.long
def test_who_ends_a_trial_ends_all_of_its_processes() -> None:
    program = "import sys; from felt_simulators.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "floor", "--tables", "2", "--seconds", "60"]
    with subprocess.Popen(command) as trial:  # noqa: S603 - our own program
        end = time.monotonic() + 60
        while len(parts := children(trial.pid)) < 3:
            assert time.monotonic() < end
            select.select([], [], [], 0.05)
        trial.send_signal(signal.SIGTERM)
        assert trial.wait(30) == INTERRUPTED
    for pid in parts:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def document(**changed: object) -> dict[str, Any]:
    times = {"p50": 3.0, "p95": 12.5, "p99": 20.0, "max": 24.5}
    return {
        "tables": 2,
        "seconds": 4.0,
        "complete": True,
        "sent": 1_200,
        "received": 1_200,
        **COMPLETE,
        "worst": [],
        "handed_over_ms": times,
        "acknowledged_ms": times,
        "sent_per_second": 300.0,
        "messages": 1_250,
        "replayed": 50,
        "connections": 4,
        "faults": {"broker-kill": 1, "cut": 5},
        "consumer": {"cpu_s": 0.5, "peak_mb": 49.0},
        "simulated_tables": {"cpu_s": 0.25, "peak_mb": 38.5},
        "broker": None,
        **changed,
    }


def test_what_came_of_it_is_told_in_words() -> None:
    assert summary(document()).splitlines() == [
        "2 tables sent 1,200 events in 4 s, 300.0 in a second. The consumer got 1,200: 0 are missing, 0 came",
        "twice, 0 came out of order, 0 are not what a table sent.",
        "From the table to the consumer's hands: 3 ms (half), 12.5 ms (95 %), 20 ms (99 %), 24.5 ms at most.",
        "Until the table knew that it is stored: 3, 12.5, 20 and 24.5 ms.",
        "Faults: broker-kill 1x, cut 5x; 4 connections of tables; 50 of 1,250 messages told something again.",
        "Processor and memory: consumer 0.5 s and 49 MB, all tables 0.25 s and 38.5 MB.",
    ]


def test_the_table_that_fared_worst_is_told() -> None:
    worst = {"table": "sim-002", "missing": 3, "doubled": 0, "out_of_order": 1, "wrong": 0}
    told = summary(document(complete=False, missing=3, worst=[worst], handed_over_ms=None))
    assert "The worst table is sim-002: 3 missing, 0 twice, 1 out of order, 0 wrong." in told
    assert "consumer's hands" not in told


@pytest.mark.parametrize(("complete", "code"), [(True, OK), (False, NOT_AS_EXPECTED)])
def test_the_exit_code_says_whether_all_is_well(
    *, complete: bool, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(complete=complete)
    assert report(found, as_json=True) == code
    assert json.loads(capsys.readouterr().out) == found
    assert report(found, as_json=False) == code
    assert capsys.readouterr().out == summary(found) + "\n"
