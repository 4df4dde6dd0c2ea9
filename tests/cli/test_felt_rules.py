"""`felt rules`: what people read of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.rules import chapters

OWN = Path(__file__).resolve().parents[2] / "examples" / "own-game"


@pytest.mark.parametrize("asked", ["659a.13(m)", "659a.13.m", "§ 659a.13(M)", "shoe-jam"])
def test_a_subsection_is_found_however_it_is_written(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", asked]) == exits.OK
    told = capsys.readouterr().out
    assert "659a.13(m)  (Asia Poker)" in told
    assert "The automated shoe jammed during the round: the round is void." in told
    assert "do        All hands are void: return every wager." in told
    assert "hold      on the device: inhibits the device and keeps deal closed" in told
    assert "held by   tests/regulations/test_659a_13_machines.py::" in told


def test_a_rule_of_our_own_says_that_the_text_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "device-silent", "--chapter", "659a"]) == exits.OK
    told = capsys.readouterr().out
    assert told.startswith("A rule of our own; the text is silent  (Asia Poker)")
    # No text is in force for it.
    assert "  rule      device-silent, our own, since 2014-02-01" in told.splitlines()
    assert "advises until the device is heard again" in told


DEALT = "phase in ('hand-deal', 'dealing', 'dealt', 'playing')"


def test_what_no_device_shows_says_who_reports_it_and_in_which_word(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "explain", "659a.13(j)"]) == exits.OK
    rule, _by_hand, report = capsys.readouterr().out.split("\n\n")
    assert "  rule      dealers-card-exposed-in-deal, final text, 44 Pa.B. 619, in force 2014-02-01" in rule
    said = "dealers-card-exposed, and phase == 'dealing': A card of the dealer's hand was exposed."
    assert f"  reported  {said}" in rule
    assert "  when " not in rule
    assert report.splitlines() == [
        "659a.13(e), 659a.13(j)  (Asia Poker)",
        "  A card of the dealer's hand was exposed.",
        "  report    dealers-card-exposed, by dealer, floor; asks nothing",
        f"  needs     {DEALT}; else refused: no card of this round is dealt, or the round is void",
        "  ruling    dealers-card-exposed",
        "  ruling    dealers-card-exposed-in-deal",
        "  ruling    dealers-card-exposed-in-hand-deal",
    ]


def test_a_report_is_explained_by_its_word_also_where_no_rule_has_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "explain", "deck-inspected", "--chapter", "659a"]) == exits.OK
    assert capsys.readouterr().out.splitlines() == [
        "659a.4(a)  (Asia Poker)",
        "  The dealer inspected the cards of this deck for defects.",
        "  report    deck-inspected, by dealer; asks --deck",
    ]
    assert main(["rules", "explain", "wrong-start", "--chapter", "659a"]) == exits.OK
    own = "A report of our own; the text is silent  (Asia Poker)"
    assert own in capsys.readouterr().out.splitlines()


DEAL = ["686a.7(e), 686a.7(i)  (Over/Under)", "  kept by   deal manual-shoe"]
HELD_BY = "  held by   tests/regulations/"


@pytest.mark.parametrize("asked", [["686a.7.i"], ["deal/manual-shoe", "--chapter", "686a"]])
def test_what_else_keeps_a_subsection_is_explained_with_the_tests_that_hold_it(
    capsys: pytest.CaptureFixture[str], asked: list[str]
) -> None:
    assert main(["rules", "explain", *asked]) == exits.OK
    first, second, *tests = capsys.readouterr().out.splitlines()
    assert [first, second] == DEAL
    assert tests
    assert all(test.startswith(HELD_BY) for test in tests)


def test_a_subsection_with_a_report_and_more_is_explained_with_all_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "explain", "665a.3(a)"]) == exits.OK
    kinds = [line.split()[:3] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert ["report", "tens-removed,", "by"] in kinds
    assert ["kept", "by", "composition"] in kinds
    assert main(["rules", "explain", "665a.3(a)", "--json"]) == exits.OK
    report, composition = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["report"]) == ("report", "tens-removed")
    assert composition["kind"] == "composition"
    assert main(["rules", "explain", "election/decks", "--chapter", "659a"]) == exits.OK
    assert "  One deck, or two that alternate in and out of play." in capsys.readouterr().out.splitlines()


def test_whatever_is_explained_beside_rules_is_in_the_json_document_with_its_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def told(*asked: str) -> list[tuple[str, str]]:
        assert main(["rules", "explain", *asked, "--json"]) == exits.OK
        entries = json.loads(capsys.readouterr().out)
        return [(one["kind"], one.get("id") or one.get("report") or one.get("name", "")) for one in entries]

    assert told("659a.5(a)") == [
        ("rule", "sorted-not-shuffled"),
        ("rule", "dealt-unshuffled"),
        ("rule", "shuffle-ordered"),
        ("report", "deck-shuffled"),
        ("permit", "shuffle"),
        ("election", "shuffle"),
    ]
    # A rule that is asked for by its name stands alone, though a report is called so as well.
    assert told("shuffler-jam", "--chapter", "659a") == [("rule", "shuffler-jam")]
    # What a report tells stands beside what only people see.
    assert told("686a.5(d)") == [
        ("rule", "cover-card-too-deep"),
        ("people", ""),
        ("report", "stack-cut"),
    ]


def test_a_report_that_no_rule_is_called_after_is_one_json_document_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "explain", "deck-inspected", "--chapter", "659a", "--json"]) == exits.OK
    [report] = json.loads(capsys.readouterr().out)
    assert (report["report"], report["by"], report["rulings"]) == ("deck-inspected", ["dealer"], [])


def test_a_rule_of_several_games_is_explained_of_each_or_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "device-silent", "--json"]) == exits.OK
    every = json.loads(capsys.readouterr().out)
    assert len(every) == len({rule["game"] for rule in every})
    assert main(["rules", "explain", "device-silent", "--chapter", "659a", "--json"]) == exits.OK
    assert json.loads(capsys.readouterr().out) == [rule for rule in every if rule["game"] == "Asia Poker"]
    assert main(["rules", "explain", "device-silent", "--chapter", "999a"]) == exits.REFUSED
    assert capsys.readouterr().err.startswith("felt: no pack for chapter 999a; there are: ")


def test_a_hold_that_takes_two_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "not-four-left"]) == exits.OK
    [hold] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  hold ")]
    assert hold.endswith("; it takes two to override")


def test_all_that_can_be_reported_is_listed_with_who_and_what_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "reports", "659a"]) == exits.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "659a  Asia Poker: `felt report WHAT`, or the report button of a panel"
    assert (
        "  inspection-verified        floor                --deck"
        "         The floorperson verified the dealer's inspection of this deck."
    ) in lines
    assert any(line.split()[:5] == ["shoe-jam", "dealer,", "floor,", "tech", "--device"] for line in lines)
    assert main(["rules", "reports", "659a", "--json"]) == exits.OK
    reports = json.loads(capsys.readouterr().out)
    assert len(reports) == len(lines) - 1
    [dealt] = [one for one in reports if one["report"] == "cards-dealt"]
    assert all(test.startswith("tests/regulations/test_659a_") for test in dealt.pop("tests"))
    assert dealt == {
        "chapter": "659a",
        "report": "cards-dealt",
        "cite": ["659a.8(c)", "659a.9(b)"],
        "game": "Asia Poker",
        "says": "All hands of the round are dealt, without the automated shoe.",
        "by": ["dealer", "floor"],
        "asks": ["deck"],
        "family": None,
        "needs": [
            {
                "when": "deal_method != 'automated-shoe'",
                "says": "the automated shoe deals here; change the method first",
            },
            {
                "when": "phase in ('closed', 'hand-deal')",
                "says": "no more bets has not been announced, or the cards are dealt already",
            },
            {"when": "cards_due != none", "says": "nobody has said who plays; report seats-playing first"},
        ],
        "rulings": [
            "dealt-unshuffled",
            "deck-too-old-by-hand",
            "deck-dealt-twice-running",
            "other-deck-not-in-shuffler",
            "other-method-before-sign",
            "held-deck-dealt",
            "deck-not-prepared",
            "new-deck-not-prepared",
        ],
    }
    assert main(["rules", "reports", "999a"]) == exits.REFUSED
    said = f"felt: no pack for chapter 999a; there are: {', '.join(chapters())}\n"
    assert capsys.readouterr().err == said


def test_an_explanation_is_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(l)", "--json"]) == exits.OK
    [rule, report] = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["report"]) == ("report", "shuffler-jam")
    assert (rule["id"], rule["cite"], rule["effect"], rule["void"]) == (
        "shuffler-jam",
        ["659a.13(l)"],
        "stop",
        False,
    )
    assert [hold["binds"] for hold in rule["holds"]] == ["deck", "other-decks"]


def test_a_citation_that_is_nowhere_names_its_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "659a.13(z)"]) == exits.REFUSED
    assert "no pack has 659a.13(z); near it: 659a.13(" in capsys.readouterr().err
    assert main(["rules", "explain", "elephants"]) == exits.REFUSED
    assert "`felt rules list` shows all" in capsys.readouterr().err


def test_the_list_names_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == exits.OK
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert [head[:4] for head in heads] == list(chapters())
    assert "659a  Asia Poker  (44 Pa.B. 619, final)" in heads
    assert any(line.split()[:2] == ["659a.13(m)", "shoe-jam"] for line in lines)
    assert main(["rules", "list", "--json"]) == exits.OK
    rules = json.loads(capsys.readouterr().out)
    assert len(rules) == len(lines) - len(heads)


@pytest.mark.long
def test_every_pack_that_comes_along_is_sound_by_every_answer_of_the_house(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "check"]) == exits.OK
    assert capsys.readouterr().out == "".join(f"{chapter}: sound\n" for chapter in chapters())


def test_a_pack_of_ones_own_is_checked_and_every_mistake_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("phases = 7\n", encoding="utf-8")
    assert main(["rules", "check", str(bad)]) == exits.REFUSED
    told = capsys.readouterr().err
    assert "phases" in told
    assert "source" in told


@pytest.mark.parametrize("action", ["list", "explain", "reports"])
def test_packs_of_ones_own_are_shown_with_those_that_come_along(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    what = {"list": [], "explain": ["shoe-jam"], "reports": []}[action]
    assert main(["rules", action, *what, "--packs", str(OWN / "packs")]) == exits.OK
    told = capsys.readouterr().out
    assert "Low Four" in told
    assert "Asia Poker" in told


def test_a_pack_of_ones_own_may_be_named_as_a_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    packs = ["--packs", str(OWN / "packs")]
    assert main(["rules", "reports", "900a", *packs]) == exits.OK
    assert capsys.readouterr().out.startswith("900a  Low Four")
    assert main(["rules", "explain", "shoe-jam", "--chapter", "900b", *packs]) == exits.REFUSED
    assert capsys.readouterr().err.endswith(", 900a\n")


def test_a_folder_of_packs_that_cannot_be_shown_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "nowhere"
    assert main(["rules", "list", "--packs", str(nowhere)]) == exits.NO_INPUT
    assert capsys.readouterr().err == f"felt: {nowhere}: No such file or directory\n"
    (tmp_path / "659a.toml").touch()
    assert main(["rules", "list", "--packs", str(tmp_path)]) == exits.REFUSED
    assert "659a.toml: a pack of this name comes along; give yours another" in capsys.readouterr().err
    (tmp_path / "659a.toml").rename(tmp_path / "900b.toml")
    assert main(["rules", "list", "--packs", str(tmp_path)]) == exits.REFUSED
    assert "900b.toml: `felt rules check` says all of it" in capsys.readouterr().err


def test_what_no_device_shows_and_nobody_reports_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "672a.7(m)"]) == exits.OK
    told = capsys.readouterr().out
    assert "  Why: No device knows which wagers are on, nor the hole card." in told


def test_a_chapter_is_checked_by_its_name_and_a_file_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "check", "635a"]) == exits.OK
    assert capsys.readouterr().out == "635a: sound\n"
    nowhere = str(tmp_path / "nowhere.toml")
    assert main(["rules", "check", nowhere, "635a"]) == exits.NO_INPUT
    said = capsys.readouterr()
    assert (said.out, said.err) == ("635a: sound\n", f"{nowhere}: No such file or directory\n")


def test_a_file_that_cannot_be_read_counts_more_than_a_pack_that_is_not_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, nowhere = tmp_path / "bad.toml", tmp_path / "nowhere.toml"
    bad.write_text("phases = 7\n", encoding="utf-8")
    for files in ([bad, nowhere], [nowhere, bad]):
        assert main(["rules", "check", *map(str, files)]) == exits.NO_INPUT
        told = capsys.readouterr().err
        assert f"{nowhere}: No such file or directory\n" in told
        assert f"{bad}: phases: " in told


def test_a_part_that_is_missing_is_told_first_and_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (OWN / "packs" / "900a.toml").read_text(encoding="utf-8")
    pack = tmp_path / "900a.toml"
    pack.write_text(whole.replace('"dealing", "automated-shoe", ', '"dealing", '), encoding="utf-8")
    assert main(["rules", "check", str(pack)]) == exits.REFUSED
    lines = [line.removeprefix(f"{pack}: ") for line in capsys.readouterr().err.splitlines()]
    assert lines[0].startswith("parts seats, round, shuffler, dealing, ")
    assert lines[0].endswith(" need the gate deal: automated-shoe, hand-deal or hand-drawn-shoe has it")
    kind = "parts round and out-of-order need the constant shoe_kind: automated-shoe or hand-deal has it; or "
    assert any(line.startswith(kind) for line in lines)
    assert all(" need the " in line or " needs the " in line for line in lines)


@pytest.mark.parametrize("action", ["list", "explain", "reports", "check", "parts", "names"])
def test_the_help_of_every_action_has_examples_and_exit_codes(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["rules", action, "--help"])
    assert end.value.code == exits.OK
    told = capsys.readouterr().out
    assert f"examples:\n  felt rules {action}" in told
    assert "exit codes:" in told
