"""The subsections of a chapter's text, as a pack accounts for them: what keeps each, or why nothing does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from felt_daemon.rules.part import Part, Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack


def _forwards(letters: str) -> str:
    if letters[0] > letters[-1]:
        raise ValueError(f"runs backwards; write '{letters[-1]}-{letters[0]}'")
    return letters


Letters = Annotated[str, Field(pattern=r"^[a-z](-[a-z])?$"), AfterValidator(_forwards)]
# Kinds of which a pack has one thing: the kind says which.
ALONE = frozenset({"start", "opening", "burns", "composition", "method"})


class Section(Part):
    """A section that concerns devices: its subsections, first to last letter, and those left to people alone.

    `aside`: by letter, why no device and no report shows it. `irregularities`: the section says what is done
    when something goes wrong.
    """

    title: Words
    subsections: Letters
    irregularities: bool = False
    aside: dict[str, Words] = Field(default_factory=dict)

    @property
    def letters(self) -> tuple[str, ...]:
        """Every letter of the section."""
        first, last = self.subsections[0], self.subsections[-1]
        return tuple(chr(code) for code in range(ord(first), ord(last) + 1))


def text_breaches(pack: Pack) -> Iterator[str]:
    """Every subsection that nothing accounts for, or that is accounted for twice."""
    cited = [cite for cite, _kind, _name in citations(pack)]
    why_not = "cite it where it is kept, or say why not under [text]"
    for section, about in pack.text.items():
        for letter in about.letters:
            name = f"{section}({letter})"
            held = any(_within(cite, name) for cite in cited)
            if held and letter in about.aside:
                yield f"{name}: a row cites it, and [text] says that nothing shows it"
            elif not held and letter not in about.aside:
                yield f"{name}: nothing cites it; {why_not}"
        yield from (
            f"{section}({letter}): the section has no such subsection; it ends with ({about.letters[-1]})"
            for letter in about.aside
            if letter not in about.letters
        )
    yield from (
        f"{cite}: {kind} {name} cites it, and the section ends with ({about.letters[-1]})"
        for cite, kind, name in citations(pack)
        for section, about in pack.text.items()
        if cite.startswith(f"{section}(") and cite[len(section) + 1] not in about.letters
    )


def _within(cite: str, name: str) -> bool:
    return cite == name or cite.startswith(f"{name}(")


def citations(pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Every citation of the pack: what it is, the kind of thing that cites it, and that thing's name."""
    for rule in pack.rules:
        yield from ((cite, "rule", rule.id) for cite in rule.cite)
    for word, report in pack.reports.items():
        yield from ((cite, "report", word) for cite in report.cite)
    for gate in pack.gates:
        yield from ((cite, "permit", gate.id) for cite in gate.cite)
    for name, election in pack.elections.items():
        yield from ((cite, "election", name) for cite in election.cite)
    for pattern in pack.patterns:
        yield from ((cite, "deal", pattern.deal[0]) for cite in pattern.cite)
    for note in pack.sets:
        yield from ((cite, "note", note.note) for cite in note.cite)
    for inspection in pack.inspections:
        yield from ((cite, "inspection", inspection.family) for cite in inspection.cite)
    yield from ((one.cite, "unseen", one.says) for one in pack.unseen)
    yield from _single(pack)


def called(kind: str, name: str) -> str:
    """What the mark of a test calls a thing: a row by its id, all else as `report/cards-dealt`.

    What a pack has one of is called by its kind alone, as `opening`.
    """
    if kind == "rule":
        return name
    return kind if kind in ALONE else f"{kind}/{name}"


def names_of(pack: Pack) -> dict[str, None]:
    """What tests can be marked with: every row, and whatever else keeps a subsection, in the pack's order."""
    kept = (called(kind, name) for _cite, kind, name in citations(pack) if kind not in ("rule", "unseen"))
    return dict.fromkeys((*pack.by_id, *kept))


def _single(pack: Pack) -> Iterator[tuple[str, str, str]]:
    if pack.start is not None:
        yield from ((cite, "start", "starting position") for cite in pack.start.cite)
    if pack.opening is not None:
        yield from ((cite, "opening", "before the table opens") for cite in pack.opening.cite)
    if pack.burns is not None:
        yield from ((cite, "burns", "the next card to the rack") for cite in pack.burns.cite)
    if pack.composition is not None:
        yield from ((cite, "composition", "what a deck is made of") for cite in pack.composition.cite)
    if pack.methods is not None and pack.methods.sign is not None:
        yield pack.methods.sign, "method", "a sign before another way is used"
