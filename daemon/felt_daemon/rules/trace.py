"""Where each subsection of a chapter is kept: by which rows and reports, held by which tests, or why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_daemon.rules.text import called, citations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack

Tests = Mapping[str, Sequence[str]]
# How many tests of a subsection the page names; `felt rules explain` has them all.
NAMED = 3
# Tells tables of a chapter each fact in each situation, and compares the rows that answer.
_ANSWERS_IN = "tests/table/test_rows_in_each_situation.py"
_ANSWERS = "test_rows_answer_what_they_are_there_for_and_nothing_else"


def of_answers(chapter: str) -> str:
    """The test that compares what all rows of a chapter answer; the index has it where no test is marked."""
    return f"{_ANSWERS_IN}::{_ANSWERS}[{chapter}]"


@dataclass(frozen=True, slots=True)
class Kept:
    """A thing of the pack that keeps a subsection: its kind, its name, and what it says."""

    kind: str
    name: str
    says: str
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One subsection: what keeps it, or why nothing does."""

    cite: str
    kept: tuple[Kept, ...]
    why: str = ""


def traced(pack: Pack, tests: Tests) -> Iterator[tuple[str, str, list[Line]]]:
    """Each section that concerns devices, with its title and a line for each of its subsections."""
    found = list(citations(pack))
    reasons = {one.cite: one.why for one in pack.unseen}
    for section, about in pack.text.items():
        lines: list[Line] = []
        for letter in about.letters:
            name = f"{section}({letter})"
            kept = [
                (cite, Kept(kind, thing, says(pack, kind, thing), tuple(tests.get(called(kind, thing), ()))))
                for cite, kind, thing in found
                if (cite == name or cite.startswith(f"{name}(")) and kind != "unseen"
            ]
            why = about.aside.get(letter) or "; ".join(
                reason for cite, reason in reasons.items() if cite == name or cite.startswith(f"{name}(")
            )
            lines.append(Line(name, tuple(dict.fromkeys(one for _cite, one in kept)), why))
        yield section, about.title, lines


def says(pack: Pack, kind: str, name: str) -> str:
    """What the pack says of a thing that keeps a subsection; empty where it has no words for it."""
    if kind == "rule":
        return pack.by_id[name].says
    if kind == "report":
        return pack.reports[name].says
    if kind == "election":
        return pack.elections[name].says
    return ""


def page_of(pack: Pack, tests: Tests) -> Iterator[str]:
    """The same as lines of Markdown."""
    source = pack.source
    yield f"## {source.chapter}  {source.game}"
    yield ""
    words = source.words(source.since)
    yield f"{words[0].upper()}{words[1:]}."
    if source.missing is not None:
        yield ""
        yield f"Not in the text to hand: {source.missing}"
    if any(of_answers(source.chapter) in held_by for held_by in tests.values()):
        yield ""
        yield (
            f"All that its rows answer is held by `{_ANSWERS}[{source.chapter}]`: it tells tables of this"
            " chapter each fact in each situation, and compares the rows that answer with those in"
            " `tests/table/answers`. Rows for which no other test is named have this one alone."
        )
    for section, title, lines in traced(pack, tests):
        yield ""
        yield f"### § {section} {title}"
        yield ""
        yield "| subsection | kept by | held by tests |"
        yield "|---|---|---|"
        for line in lines:
            yield f"| {line.cite} | {_kept(line)} | {_tests(line)} |"
    yield ""


def _kept(line: Line) -> str:
    words = [f"{one.kind} `{one.name}`" + (f": {one.says}" if one.says else "") for one in line.kept]
    if line.why:
        words.append(line.why)
    return "<br>".join(word.replace("|", "\\|") for word in words)


def _tests(line: Line) -> str:
    held_by = [test for one in line.kept for test in one.tests]
    names = list(dict.fromkeys(test.partition("::")[2] for test in held_by if _ANSWERS not in test))
    if held_by and not names:
        return "the answers, as said above"
    more = [f"and {len(names) - NAMED} more"] if len(names) > NAMED else []
    return "<br>".join([*(f"`{name}`" for name in names[:NAMED]), *more])
