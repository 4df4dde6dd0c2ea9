"""Whole tables in simulated time: the real daemon, real pseudo-terminals, people, and the truth."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_simulators.cli import main
from felt_simulators.house import felt
from felt_simulators.journal import read_rows
from felt_simulators.play import play
from felt_simulators.scenario_file import read

if TYPE_CHECKING:
    from felt_simulators.play import Outcome

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "examples" / "scenarios"
EXAMPLES = sorted(str(path.relative_to(SCENARIOS).with_suffix("")) for path in SCENARIOS.rglob("*.toml"))


def played(name: str, folder: Path, seed: int | None = None) -> tuple[Outcome, list[str]]:
    folder.mkdir(exist_ok=True)
    story: list[str] = []
    return play(read(SCENARIOS / f"{name}.toml"), folder, seed, story.append), story


def faults_of(outcome: Outcome) -> list[str]:
    """What was not as expected, for a message."""
    found = [f"expected {one.expectation}, found {one.found}" for one in outcome.expectations if not one.met]
    return found + [f"{one.name}: told {one.told}, true {one.true}" for one in outcome.disagreements]


@pytest.mark.long
def test_a_jam_in_the_shoe_is_ruled_told_and_remedied(tmp_path: Path) -> None:
    outcome, story = played("shoe-jam", tmp_path)
    assert faults_of(outcome) == []
    assert outcome.rounds == 3
    assert outcome.rulings == {"659a.13(m)": 1}
    told = [line[10:].strip() for line in story]
    assert "ROUND VOID" in told
    assert any(line.startswith("RULING 659a.13(m) (shoe-1): The automated shoe jammed") for line in told)
    assert "do: All hands are void: return every wager." in told
    assert any(line.startswith("still held: deck blue (659a.13(m))") for line in told)
    assert any(
        line.endswith("6 hands dealt since") for line in told if line.startswith("released: deck blue")
    )
    assert told[-1] == "The table is closed"


@pytest.mark.timeout(120)
@pytest.mark.long
def test_a_kill_between_two_stacks_loses_nothing_and_repeats_no_order(tmp_path: Path) -> None:
    outcome, _ = played("kill-in-mid-round", tmp_path)
    assert faults_of(outcome) == []
    rows = read_rows(tmp_path / "state" / "journal.db", "asia-1")
    assert [row.seq for row in rows.all] == list(range(1, len(rows.all) + 1))
    permits = [(row.body["gate"], row.body["key"]) for row in rows.of("order-issued")]
    assert len(permits) == len(set(permits))
    assert all(row.simulated for row in rows.all)


@pytest.mark.long
@pytest.mark.timeout(120)
def test_a_day_is_one_step_and_the_dice_are_too_old_after_it(tmp_path: Path) -> None:
    outcome, _ = played("dice-a-day-old", tmp_path)
    assert faults_of(outcome) == []
    assert outcome.simulated_s > 86_400
    # A day of PINGs would have been half a million bytes on each link.
    assert outcome.rows < 400


@pytest.mark.long
@pytest.mark.timeout(120)
def test_one_seed_gives_one_journal_to_the_nanosecond_and_another_seed_another(tmp_path: Path) -> None:
    runs: list[list[dict[str, Any]]] = []
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        played("too-few-shakes", tmp_path / name, seed)
        journal = tmp_path / name / "state" / "journal.db"
        done = subprocess.run(  # noqa: S603 - our own program
            [felt(), "journal", "show", str(journal), "--json"], capture_output=True, check=True, timeout=30
        )
        runs.append([comparable(row) for row in json.loads(done.stdout)["rows"]])
    assert len(runs[0]) > 120
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is drawn by lot for each journal, and the digest of a file full of paths."""
    public = {key: value for key, value in row["public"].items() if key not in {"epoch", "config_digest"}}
    names = ("seq", "type", "boot", "start", "mono_ns", "utc", "recorded_utc", "late", "cause", "simulated")
    return {"public": public, **{name: row[name] for name in names}}


@pytest.mark.long
def test_what_is_not_as_expected_ends_with_code_1_and_says_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (SCENARIOS / "order-leaked.toml").read_text(encoding="utf-8")
    # Without the word that a refused device is not heard, and with a ruling that does not come.
    text = text.replace('differs = ["shuffles", "places"]', "").replace("../asia-poker", "asia-poker")
    bad = tmp_path / "leak.toml"
    bad.write_text(text + '\n[[expect]]\ncite = "659a.13(m)"\n', encoding="utf-8")
    example = (ROOT / "examples" / "asia-poker.toml").read_text(encoding="utf-8")
    (tmp_path / "asia-poker.toml").write_text(example, encoding="utf-8")
    assert main(["play", str(bad), "--quiet"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("NOT AS EXPECTED: A device that knows too much; 1 round,")
    assert "expected cite 659a.13(m); found 0" in said
    assert "shuffles: the daemon says" in said


def test_a_bad_file_ends_with_code_2_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('[table]\nconfig = "x.toml"\n[[steps]]\nround = 1\n', encoding="utf-8")
    assert main(["play", str(SCENARIOS / "shoe-jam.toml"), str(bad)]) == 2
    assert capsys.readouterr().err.startswith(f"felt-sim: {bad}:3: steps[1].fault: exactly one of")


def test_a_configuration_without_a_shoe_cannot_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = (ROOT / "examples" / "asia-poker.toml").read_text(encoding="utf-8")
    without = example.replace('family = "shaker"', 'family = "rng"').replace('"shoe"', '"shaker"')
    (tmp_path / "table.toml").write_text(without, encoding="utf-8")
    trial = tmp_path / "trial.toml"
    trial.write_text('[table]\nconfig = "table.toml"\n[[steps]]\nrounds = 1\n', encoding="utf-8")
    assert main(["play", str(trial), "--quiet"]) == 2
    assert capsys.readouterr().err == ("felt-sim: a simulated table has one shoe; this configuration has 0\n")


@pytest.mark.timeout(120)
@pytest.mark.long
def test_the_host_plays_rounds_for_a_daemon_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(ROOT / "examples" / "asia-poker.toml")
    command = [felt(), "run", config, "--state-dir", str(tmp_path), "--control", str(tmp_path / "control")]
    assert main(["host", "--rounds", "1", "--", *command]) == 0
    said = capsys.readouterr().out
    assert "Round 1" in said
    assert "hands are set and settled" in said
    rows = read_rows(tmp_path / "journal.db", "asia-1")
    assert rows.values("round-closed", "outcome") == ["completed"]


def test_the_host_wants_a_command_that_runs_the_daemon(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host", "--", "felt", "state"]) == 2
    assert capsys.readouterr().err == (
        "felt-sim: the command must be one that runs the daemon: -- felt run CONFIG\n"
    )


@pytest.mark.timeout(300)
def test_the_demo_ends_by_itself_with_one_document_and_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    config = str(ROOT / "examples" / "asia-poker.toml")
    assert main(["demo", "--rounds", "5", "--seed", "7", "--json", "--config", config]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"] == 5
    assert found["rulings"]["659a.13(m)"] == 1
    assert found["rulings"]["659a.13(h)"] == 1
    assert found["rulings"]["own: shuffler-count-wrong"] == 1
    assert found["events_published"] == found["events_received"]
    assert found["events_unproved"] == 0
    assert found["agrees_with_truth"] is True


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "name",
    [pytest.param("672a/reader-breaks", marks=pytest.mark.long), "686a/continuous-shuffler"],
)
def test_cards_are_drawn_one_by_one_from_a_shoe_and_from_a_continuous_shuffler(
    name: str, tmp_path: Path
) -> None:
    outcome, _ = played(name, tmp_path)
    assert faults_of(outcome) == []


@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_as_it_says(name: str, tmp_path: Path) -> None:
    outcome, _ = played(name, tmp_path)
    assert faults_of(outcome) == []


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_other_seeds_of_the_demo_agree_with_the_truth_too(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(ROOT / "examples" / "asia-poker.toml")
    assert main(["demo", "--rounds", "12", "--seed", str(seed), "--json", "--config", config]) == 0
    assert json.loads(capsys.readouterr().out)["agrees_with_truth"] is True


def test_a_run_that_was_kept_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "journal.db").touch()
    assert main(["play", str(SCENARIOS / "shoe-jam.toml"), "--quiet", "--keep", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"felt-sim: {tmp_path} holds a run already; name another folder\n"


@pytest.mark.long
@pytest.mark.timeout(120)
def test_a_button_that_is_not_there_cannot_be_pressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = f'[table]\nconfig = "{ROOT / "examples" / "asia-poker.toml"}"\n'
    trial = tmp_path / "trial.toml"
    trial.write_text(config + '[[steps]]\npress = "call-floor"\n', encoding="utf-8")
    assert main(["play", str(trial), "--quiet"]) == 3
    assert "there is no dealer's panel to press call-floor at" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.timeout(120)
def test_what_was_to_be_refused_and_was_not_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = f'[table]\nconfig = "{ROOT / "examples" / "asia-poker.toml"}"\n'
    trial = tmp_path / "trial.toml"
    trial.write_text(config + '[[steps]]\ncommand = "call-floor"\nrefused = true\n', encoding="utf-8")
    assert main(["play", str(trial), "--quiet"]) == 3
    assert "call-floor was to be refused and was not" in capsys.readouterr().err
