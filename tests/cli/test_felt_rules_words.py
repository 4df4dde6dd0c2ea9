"""`felt rules parts` and `felt rules names`: what packs are made of."""

from __future__ import annotations

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.rules.library import parts


def test_every_part_is_listed_with_what_it_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "parts"]) == exits.OK
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told if not line.startswith(" ")] == list(parts())
    assert any(line.startswith("counts                    Counts of a whole deck") for line in told)
    assert all(len(line) <= 100 for line in told)
    assert all(len(line.split()) > 2 for line in told if not line.startswith(" "))


def test_a_part_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "parts", "seats"]) == exits.OK
    told = capsys.readouterr().out
    assert told.startswith("# Only positions with a wager get cards: people say which ones, before the first")
    assert "[reports.seats-playing]" in told


def test_a_part_is_printed_with_what_it_needs_and_who_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "parts", "dealing"]) == exits.OK
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "",
        f"# ---- What dealing needs {'-' * 63}",
        "# the gate deal: automated-shoe, hand-deal or hand-drawn-shoe has it",
        "# the phase hand-deal: round has it",
        "# the part remedies",
    ]


@pytest.mark.parametrize(
    ("asked", "hint"), [("shuffle", "near it: shuffler"), ("zzz", "`felt rules parts` shows all")]
)
def test_a_part_that_is_not_there_is_told(asked: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "parts", asked]) == exits.REFUSED
    assert capsys.readouterr().err.startswith(f"felt: no part is called {asked}; {hint}")


def test_facts_and_measures_are_listed_by_a_word_in_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "names", "deck_counted"]) == exits.OK
    assert capsys.readouterr().out.splitlines() == [
        "measures, for conditions",
        "  deck_counted_inside     Cards that must come out of the shuffler concerned: what it last counted",
        "                          of its batch.",
    ]
    assert main(["rules", "names", "shoe-j"]) == exits.OK
    assert capsys.readouterr().out.splitlines() == [
        "facts, for `on`",
        "  shoe-jammed             The shoe jammed. (where)",
    ]
    assert main(["rules", "names"]) == exits.OK
    every = capsys.readouterr().out
    assert "\n  reported " in every
    assert "\n  phase " in every
    # What is decided is none that a row listens to.
    assert "ruling-made" not in every


def test_a_name_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "names", "zzz"]) == exits.REFUSED
    assert capsys.readouterr().err == "felt: no fact and no measure has zzz in its name\n"
