"""What the README shows is what the programs say."""

import json
import os
import pwd
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from felt_daemon.cli import main
from felt_daemon.cli.state import lines
from felt_daemon.rules import chapters
from felt_protocols import topics
from felt_protocols.events.ruling import RulingMade
from felt_simulators.listener import proved

VOIDED = "The automated shoe jammed during the round: the round is void."


def blocks(root: Path) -> list[str]:
    """Read the README's examples."""
    text = (root / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def hold(number: int, subject: str, subject_id: str, until: str) -> dict[str, Any]:
    """Make an open hold of the README's jam."""
    return {
        "hold": number,
        "subject": subject,
        "subject_id": subject_id,
        "cite": ["659a.13(m)"],
        "owner": None,
        "asked": "dealer",
        "locks": True,
        "says": VOIDED,
        "since": {"boot": "b", "mono_ns": 5_000_000_000, "utc_us": 0, "trusted": True},
        "rounds": 0,
        "hands": 0,
        "until": until,
    }


JAMMED: dict[str, Any] = {
    "table": "asia-1",
    "game": "659a",
    "state": "open",
    "closing": False,
    "dealer": None,
    "floor_called": None,
    "method": {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"},
    "aside": {},
    "due": [],
    "now": {
        "boot": "b",
        "mono_ns": 8_900_000_000,
        "utc_us": 0,
        "trusted": True,
        "gaming_day": "2026-11-29",
    },
    "round": {
        "number": 1,
        "phase": "void",
        "void": "shoe-jam",
        "stacks": 4,
        "cards": 28,
        "start_seat": 6,
    },
    "decks": {
        "red": {
            "back": "red",
            "places": {"shoe": 25, "table": 28},
            "shuffled": False,
            "count": "count verified",
        },
        "blue": {"back": "blue", "places": {"hand": 53}, "shuffled": False, "count": "not verified"},
    },
    "devices": {"shuffler-1": "ready", "shoe-1": "ready", "shaker-1": "ready"},
    "holds": [
        hold(1, "device", "shoe-1", "the cards are taken out of the shoe, or it is inspected and in order"),
        hold(2, "deck", "red", "the deck is shuffled again and has 53 cards"),
    ],
    "directives": [
        {"says": "All hands are void: return every wager."},
        {"says": "Take the cards out of the shoe and put them with those already dealt."},
        {"says": "Reshuffle the cards."},
    ],
    "interlocks": [],
}


def test_a_jammed_table_is_shown_as_in_the_readme(root: Path) -> None:
    assert "\n".join(lines(JAMMED)) + "\n" in blocks(root)


def test_what_a_person_must_know_first_cannot_be_overlooked() -> None:
    picture = JAMMED | {
        "now": JAMMED["now"] | {"trusted": False, "mono_ns": 3_785_000_000_000},
        "round": None,
        "holds": [JAMMED["holds"][0] | {"owner": "robin", "cite": [], "rounds": 9, "hands": 54}],
        "interlocks": [
            {"device": "shoe-1", "gate": "deal", "waits_for": ["no deck is in the shoe", "bets are open"]},
            {"device": "shuffler-1", "gate": "shuffle", "waits_for": []},
        ],
        "directives": [],
        "dealer": "kim",
        "floor_called": {"boot": "b", "mono_ns": 3_755_000_000_000, "utc_us": 0, "trusted": True},
        "aside": {"shuffler-1": "in service"},
        "due": [{"device": "reader-1", "cite": ["665a.2(d)"], "says": "Inspect the reader."}],
    }
    assert [line for line in lines(picture) if not line.startswith(("deck ", "devices"))] == [
        "asia-1  game 659a  open",
        "gaming day 2026-11-29 (clock not trusted)",
        "dealer kim",
        "THE DEALER CALLS THE FLOOR, for 0 min 30 s",
        "way: shuffle device, deal automated-shoe, start shaker",
        "no round",
        "ASIDE shuffler-1: in service",
        "DUE reader-1 (665a.2(d)): Inspect the reader.",
        (
            f"HOLD 1 on device shoe-1 (own rule), owned by robin: {VOIDED} Open for 1 h 3 min, 9 rounds and"
            " 54 hands since. Until the cards are taken out of the shoe, or it is inspected and in order."
        ),
        "shoe-1 may not deal: no deck is in the shoe; bets are open",
    ]


def test_a_hold_that_only_advises_asks_for_no_owner() -> None:
    silent = JAMMED["holds"][0] | {"asked": None, "locks": False, "says": "The device is not heard."}
    shown = [line for line in lines(JAMMED | {"holds": [silent]}) if line.startswith("HOLD")]
    assert shown[0].startswith("HOLD 1 on device shoe-1 (659a.13(m)), advice: The device is not heard.")


def test_a_table_that_opens_shows_how_far_each_deck_is_prepared() -> None:
    decks = {name: deck | {"prepared": []} for name, deck in JAMMED["decks"].items()}
    decks["red"]["prepared"] = ["inspected", "verified"]
    shown = list(lines(JAMMED | {"state": "opening", "decks": decks}))
    assert shown[shown.index("  prepared: inspected, verified") - 1].startswith("deck red")
    assert shown[shown.index("  prepared: nothing yet") - 1].startswith("deck blue")
    decks["blue"]["prepared"] = "preshuffled"
    assert "  prepared: preshuffled" in list(lines(JAMMED | {"state": "opening", "decks": decks}))


def test_the_event_of_the_readme_is_an_event_and_proves_its_place(root: Path) -> None:
    (event,) = [json.loads(block) for block in blocks(root) if block.startswith("{")]
    data = {name: value for name, value in event["data"].items() if name != "context"}
    assert RulingMade.model_validate_json(json.dumps(data)).says == VOIDED
    assert event["id"] == f"{event['epoch']}-{event['sequence']}"
    assert proved(event)
    assert not proved(event | {"rule": "659a.13(m)", "data": event["data"] | {"incident": 4}})


def test_topics_of_the_readme_are_topics(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"felt/1/[\w+/-]+", text))
    assert named
    assert [name for name in named if topics.parse(name.replace("/+", "/x")) is None] == []


def test_every_command_of_the_readme_is_one(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bfelt ([a-z][a-z-]+)", text))
    assert named >= {"state", "open-table", "check-config", "acknowledge", "broker"}
    unknown = []
    for command in sorted(named):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        if ended.value.code != 0:
            unknown.append(command)
    assert unknown == []
    assert "usage: felt state" in capsys.readouterr().out


def test_a_rule_is_told_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(m)"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"659a.13(m)  (Asia Poker)\n  {VOIDED}\n  rule      shoe-jam, final text")
    assert "  do        All hands are void: return every wager.\n" in told
    assert "  held by   " in told
    assert main(["rules", "explain", "659a.13.m"]) == 0
    assert capsys.readouterr().out == told


def test_a_rule_of_the_house_and_one_for_people_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "dice-not-read"]) == 0
    assert capsys.readouterr().out.startswith("A rule of our own; the text is silent  (Asia Poker)\n")
    assert main(["rules", "explain", "659a.13(e)"]) == 0
    told = "dealers-card-exposed, and phase in ('dealt', 'playing'): A card of the dealer's hand was exposed."
    assert f"  reported  {told}" in capsys.readouterr().out.splitlines()


def test_a_rule_that_is_not_there_has_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "shoe-jams"]) == 1
    assert capsys.readouterr().err.startswith("felt: no pack has shoe-jams; near it: shoe-jam")
    assert main(["rules", "explain", "zzz"]) == 1
    assert capsys.readouterr().err == "felt: no pack has zzz; `felt rules list` shows all\n"


@pytest.mark.long
def test_all_rules_are_listed_and_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    told = capsys.readouterr().out.splitlines()
    games = [line for line in told if not line.startswith(" ")]
    assert "659a  Asia Poker  (44 Pa.B. 619, final)" in games
    assert len(games) == len(chapters())
    assert main(["rules", "list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(told) - len(games)
    assert main(["rules", "explain", "shoe-jam", "--chapter", "659a", "--json"]) == 0
    assert [rule["id"] for rule in json.loads(capsys.readouterr().out)] == ["shoe-jam"]
    assert main(["rules", "check", "627a", "635a"]) == 0
    assert capsys.readouterr().out == "627a: sound\n635a: sound\n"


def test_a_pack_of_ones_own_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "mine.toml"
    broken.write_text("phases = [", encoding="utf-8")
    assert main(["rules", "check", str(broken)]) == 1
    assert capsys.readouterr().err.startswith(f"{broken}: ")


@pytest.fixture
def control(root: Path, tmp_path: Path) -> Iterator[str]:
    """Run the daemon with the example's table, without any device or broker; give its control socket."""
    text = (root / "examples" / "asia-poker.toml").read_text(encoding="utf-8")
    me = f'users = ["{pwd.getpwuid(os.getuid()).pw_name}"]'
    # Nobody listens at port 9; the table does not care.
    text = text.replace('host = "broker.floor.example"\nport = 1883', 'host = "127.0.0.1"\nport = 9')
    text = text.replace('groups = ["felt-floor"]', me).replace('groups = ["felt-dealer"]', me)
    config = tmp_path / "table.toml"
    config.write_text(text, encoding="utf-8")
    program = "import sys; from felt_daemon.cli import main; sys.exit(main())"
    places = ("--state-dir", str(tmp_path), "--control", str(tmp_path / "control"))
    with (tmp_path / "log").open("wb") as log:
        daemon = subprocess.Popen(  # noqa: S603 - no word of it comes from outside
            [sys.executable, "-c", program, "run", *places, config], stdin=subprocess.DEVNULL, stderr=log
        )
    try:
        deadline = time.monotonic() + 30
        while not (tmp_path / "control").exists():
            assert daemon.poll() is None, (tmp_path / "log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline, "no control socket within 30 s"
            time.sleep(0.05)
        yield str(tmp_path / "control")
    finally:
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(30) == 0


def test_a_first_table_is_opened_as_the_readme_says(
    root: Path, control: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def felt(*words: str) -> int:
        return main([*words, "--control", control])

    assert felt("open-table") == 1
    assert capsys.readouterr().err == (
        "open-table: no cards yet for red, blue: report each with change-deck first\n"
    )
    (steps,) = [block.splitlines() for block in blocks(root) if block.startswith("felt change-deck")]
    assert [felt(*step.split()[1:]) for step in steps] == [0] * 8
    assert re.fullmatch(r"(\S+: done, row \d+\n){8}", capsys.readouterr().out)

    assert felt("state") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "asia-1  game 659a  open"
    assert "round 1, betting: 0 stacks, 0 cards" in told
    assert felt("state", "--json") == 0
    assert json.loads(capsys.readouterr().out)["table"] == "asia-1"

    assert felt("acknowledge", "99", "--json") == 1
    assert json.loads(capsys.readouterr().out)["code"] == "refused"
    assert felt("close-table") == 0


def test_without_a_daemon_one_hears_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", "--control", str(tmp_path / "nobody")]) == 3
    assert "nobody" in capsys.readouterr().err
