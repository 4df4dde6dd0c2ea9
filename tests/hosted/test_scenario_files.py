"""Scenario files: what they say, and the messages for what they cannot say."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from felt_simulators.felt import read_plan
from felt_simulators.lapses import LAPSES
from felt_simulators.lines import key_lines
from felt_simulators.record import Who
from felt_simulators.scenario import ACTIONS, CHECKS, MOMENTS, Action, BadScenario, During, Expectation
from felt_simulators.scenario_file import read
from felt_simulators.tasks import TASKS

ROOT = Path(__file__).resolve().parents[2]
HEAD = '[table]\nconfig = "table.toml"\n'


def scenario_file(folder: Path, text: str) -> Path:
    path = folder / "trial.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    text = """\
name = "A trial"
seed = 9

[table]
config = "table.toml"

[truth]
differs = ["places"]

[[steps]]
rounds = 4

[[steps.during]]
round = 2
at = "in-stack-3"
fault = "jam=16,lasting,chance=50"
device = "shoe-1"

[[steps.during]]
at = "playing"
lapse = "no-wait"

[[steps]]
leap = "24h"

[[steps]]
command = "change-deck"
args = { deck = "red" }
refused = true

[[expect]]
cite = "659a.13(m)"
after = 1
subject = "shoe-1"
times = 1

[[expect]]
event = "device-lost"
absent = true
"""
    found = read(scenario_file(tmp_path, text))
    assert found.name == "A trial"
    assert found.seed == 9
    assert found.config == tmp_path / "table.toml"
    assert found.differs == {"places"}
    assert [step.rounds for step in found.steps] == [4, 0, 0]
    first, second = found.steps[0].during
    assert (first.round, first.at, str(first.action)) == (2, "in-stack-3", "fault jam=16 on shoe-1")
    assert first.action.fault is not None
    assert (first.action.fault.lasting, first.action.fault.chance) == (True, 50)
    assert second == During(1, "playing", Action("lapse", name="no-wait"))
    assert found.steps[1].action == Action("leap", seconds=86_400.0)
    assert found.steps[2].action == Action(
        "command", command="change-deck", args={"deck": "red"}, refused=True
    )
    assert found.expectations == (
        Expectation("cite", "659a.13(m)", after=1, subject="shoe-1", times=1),
        Expectation("event", "device-lost", absent=True),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: steps: a scenario has at least one [[steps]]"),
        ("rounds = \n", "Invalid value (at line 1, column 10)"),
        ("[table]\n[[steps]]\nrounds = 1\n", "1: table.config: must be given"),
        (HEAD + '[[steps]]\nrounds = "two"\n', "4: steps[1].rounds: must be a whole number, not 'two'"),
        (HEAD + "[[steps]]\nrounds = true\n", "4: steps[1].rounds: must be a whole number, not True"),
        (HEAD + "[[steps]]\nrounds = -1\n", "4: steps[1].rounds: must be 0 to 10000, not -1"),
        (
            HEAD + "[[steps]]\nrounds = 1\n[[steps]]\nround = 1\n",
            "5: steps[2].fault: exactly one of fault, lift, lapse, command, report, press, do, floor, seats,",
        ),
        (HEAD + '[[steps]]\nwait = "1s"\nround = 1\n', "5: steps[1].round: is not known here"),
        (
            HEAD + "[[steps]]\nrounds = 1\nduringg = 1\n",
            "5: steps[1].duringg: is not known here; did you mean during?",
        ),
        (
            HEAD + '[[steps]]\nleap = "a day"\n',
            "4: steps[1].leap: is a time such as 24h, 90s or 500ms, not 'a day'",
        ),
        (
            HEAD + '[[steps]]\nleap = "1.5h"\n',
            "4: steps[1].leap: is a time such as 24h, 90s or 500ms, not '1.5h'",
        ),
        (HEAD + '[[steps]]\nkill = "1s"\nstop = "1s"\n', "5: steps[1].stop: exactly one of fault, "),
        (
            HEAD + '[[steps]]\nfault = "jamm"\ndevice = "shoe-1"\n',
            "4: steps[1].fault: no fault is called jamm;",
        ),
        (HEAD + '[[steps]]\nfault = "jam"\n', "3: steps[1].device: must be given"),
        (
            HEAD + '[[steps]]\nrounds = 2\n\n[[steps.during]]\nround = 3\nat = "dealt"\nkill = "1s"\n',
            "7: steps[1].during[1].round: must be 1 to 2, not 3",
        ),
        (
            HEAD + '[[steps]]\nrounds = 2\n[[steps.during]]\nat = "dealtt"\nkill = "1s"\n',
            "did you mean dealt?",
        ),
        (HEAD + '[[steps]]\nlapse = "sleeping"\n', "4: steps[1].lapse: is one of one-shake,"),
        (HEAD + '[[steps]]\nwait_for = "rain"\n', "4: steps[1].wait_for: is 'no-holds', 'hold ROW',"),
        (HEAD + '[[steps]]\npress = "bell"\n', "4: steps[1].press: is one of no-more-bets, round-end,"),
        (HEAD + '[[steps]]\npress = "report"\n', "or 'report WORD', not 'report'"),
        (HEAD + '[[steps]]\npress = "call-floor twice"\n', "not 'call-floor twice'"),
        (
            HEAD + 'first_cards = ["10H"]\n[[steps]]\nrounds = 1\n',
            "3: table.first_cards: has cards such as AS, TH or 2C",
        ),
        (HEAD + "[[steps]]\nseats = [0]\n", "4: steps[1].seats: has only whole numbers from 1"),
        (HEAD + '[[steps]]\nfloor = "gone"\n', "4: steps[1].floor: is one of away, here"),
        (HEAD + '[[steps]]\ndo = "resumes"\n', "did you mean resume?"),
        (HEAD + '[[steps]]\ncommand = "sign"\nrole = "boss"\n', "is one of dealer, floor, tech"),
        (
            HEAD + "preshuffled = [1]\n[[steps]]\nrounds = 1\n",
            "3: table.preshuffled: has only text",
        ),
        (HEAD + "changes = 1\n[[steps]]\nrounds = 1\n", "3: table.changes: must be a table, not 1"),
        (
            "begins = 2026-01-10T19:30:00\n" + HEAD + "[[steps]]\nrounds = 1\n",
            "1: begins: needs its offset from UTC",
        ),
        (
            HEAD + '[[steps]]\nrounds = 1\n[[expect]]\nrow = "a"\nhaving = { b = 1 }\n',
            "7: expect[1].having: goes with an event",
        ),
        (
            HEAD + '[[steps]]\nrounds = 1\n[[expect]]\ncite = "a"\nrow = "b"\n',
            "7: expect[1].row: exactly one of cite, row, event must be given",
        ),
        (
            HEAD + '[[steps]]\nrounds = 1\n[[expect]]\ncite = "a"\nafter = 2\n',
            "7: expect[1].after: must be 1 to 1, not 2",
        ),
        (
            HEAD + '[[steps]]\nrounds = 1\n[[expect]]\ncite = "a"\ntimes = 2\nabsent = true\n',
            "7: expect[1].times: what is absent has no times",
        ),
        (
            HEAD + '[truth]\ndiffers = ["luck"]\n[[steps]]\nrounds = 1\n',
            "4: truth.differs: has only rounds, decks,",
        ),
        (HEAD + "[[steps]]\nrounds = 1\n[weather]\n", "5: weather: is not known here"),
        ("steps = [1]\n" + HEAD, "1: steps: is written [[steps]]"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = scenario_file(tmp_path, text)
    with pytest.raises(BadScenario) as bad:
        read(path)
    assert str(bad.value).startswith(f"{path}:")
    assert message in str(bad.value)


def test_what_people_do_is_read_with_who_does_it(tmp_path: Path) -> None:
    text = """\
begins = 2026-01-10T19:30:00-05:00

[table]
config = "table.toml"
opens = false
preshuffled = ["red"]

seats = [2, 5]
cover_after = 40
first_cards = ["AS", "TH"]

[table.changes.panel]
no_more_bets = "advice"

[table.builds.shuffler-1]
counts = false

[[steps]]
rounds = 1
says = "One round."

[[steps.during]]
at = "card-17"
fault = "face-up"
device = "shoe-1"

[[steps.during]]
at = "playing"
report = "players-card-exposed"
args = { seat = 3 }

[[steps]]
command = "override"
args = { hold = 2, reason = "counted twice" }
person = "alex"
second = "robin"

[[steps]]
press = "report shoe-jam"
refused = true

[[steps]]
floor = "away"

[[steps]]
seats = [1, 4]

[[expect]]
event = "hold-escalated"
having = { step = "floor" }
"""
    found = read(scenario_file(tmp_path, text))
    assert found.begins == datetime(2026, 1, 11, 0, 30, tzinfo=UTC)
    assert not found.opens
    assert found.preshuffled == {"red"}
    assert found.changes == {"panel": {"no_more_bets": "advice"}}
    assert found.steps[0].says == "One round."
    assert found.seats == (2, 5)
    assert (found.cover_after, found.first_cards) == (40, ("AS", "TH"))
    assert found.builds == {"shuffler-1": {"counts": False}}
    turned, reported = found.steps[0].during
    assert turned.at == "card-17"
    assert str(reported.action) == "report players-card-exposed 3 (kim)"
    assert reported.action.who == Who("dealer", "kim")
    overridden = found.steps[1].action
    assert overridden is not None
    assert (overridden.who, overridden.second) == (Who("floor", "alex"), "robin")
    assert found.steps[2].action == Action("press", name="report shoe-jam", refused=True)
    assert str(found.steps[3].action) == "floor away"
    assert str(found.steps[4].action) == "seats 1 4"
    assert str(found.expectations[0]) == "event hold-escalated, step floor"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match=r"nothing\.toml: No such file or directory"):
        read(tmp_path / "nothing.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "Tisch f\xfcr sechs"'.encode("latin-1"))
    with pytest.raises(BadScenario, match=r"latin\.toml: not UTF-8 text"):
        read(latin)


def test_lines_of_nested_tables_are_counted_from_their_own_list() -> None:
    text = "a = 1\n[[s]]\nx = 1\n[[s.d]]\ny = 1\n[[s.d]]\ny = 2\n[[s]]\n[[s.d]]\ny = 3\n[t.u]\nz.w = 1\n"
    lines = key_lines(text)
    assert lines[("a",)] == 1
    assert lines[("s", 0, "x")] == 3
    assert lines[("s", 0, "d", 1, "y")] == 7
    assert lines[("s", 1, "d", 0, "y")] == 10
    assert lines[("t", "u", "z")] == 12


def test_every_example_can_be_read_and_expects_something() -> None:
    files = sorted((ROOT / "examples" / "scenarios").rglob("*.toml"))
    assert len(files) > 40
    for file in files:
        found = read(file)
        assert found.expectations, file
        assert found.config.resolve().parent == ROOT / "examples", file


def test_the_page_for_people_names_every_word() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    words = set(re.findall(r"`([a-z_0-9-]+)(?:`| = )", page))
    numbered = {word for word in MOMENTS if re.search(r"-[2-6]$", word)}
    assert set(ACTIONS) - words == set()
    assert set(MOMENTS) - numbered - words == set()
    assert set(CHECKS) - words == set()
    for word, what in {**LAPSES, **TASKS}.items():
        assert f"| `{word}` | {what} |" in page


def test_a_device_or_a_deck_is_taken_out_of_the_configuration_with_false() -> None:
    changes = {"devices": {"shaker-1": False}, "decks": {"blue": False, "red": {"back": "green"}}}
    plan = read_plan(ROOT / "examples" / "asia-poker.toml", changes)
    assert list(plan.devices) == ["shuffler-1", "shoe-1"]
    assert plan.decks == {"red": "green"}
