"""The text of docs/regulations.md, made of the packs and of the index of tests beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules import chapters, load
from felt_daemon.rules.explain import tests_of
from felt_daemon.rules.trace import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from felt_daemon.rules import Pack
    from felt_daemon.rules.pack import HoldRule, On, Rule

HEAD = """\
# The regulations, subsection by subsection

This page is generated from the rule packs (`script/regulations-page`) and compared with them by the tests.

For each chapter of 58 Pa. Code that feltd knows, it lists the sections that concern devices. Each of their
subsections is kept by a row of the pack, a report that people make, a permit, an election, a pattern of the
deal and the like, each by its name, with the tests that hold them; or the page says why no device and no
report shows it. The texts themselves are the regulator's; words here are ours. `felt rules explain CITATION`
tells one of them in full, with all of its tests.

After its sections each chapter says what each of its rows does, rows of our own too, where the text is silent
and they have no citation:

- *advise* tells people and stops nothing; *no new round* lets the round be finished and withholds the next
  permit; *stop* inhibits the device at once. What is shown *until* a fact is shown no longer than the round.
- What people are told to do, in the order in which it is said.
- What is held, and until when. A second table says exactly what is seen when a hold lets go: any one of the
  facts, each with all of its conditions. An override by people, with a reason, ends every hold as well.

"""
EFFECTS = {"advise": "advise", "no-new-round": "no new round", "stop": "stop"}
BOUND = {
    "deck": "the deck",
    "other-decks": "every other deck",
    "aged-decks": "every deck that is too old",
    "device": "the device",
    "table": "the table",
}


def page() -> str:
    """The whole page."""
    lines = [line for chapter in chapters() for line in of_chapter(load(chapter))]
    return HEAD + "\n".join(lines).rstrip() + "\n"


def of_chapter(pack: Pack) -> Iterator[str]:
    """The lines of one chapter."""
    yield from page_of(pack, tests_of(pack.source.chapter))
    yield "### What each row does"
    yield ""
    yield from _table(
        ("row", "kept", "effect", "people are told to", "held"), (_row(pack, rule) for rule in pack.rules)
    )
    yield ""
    yield "### What ends its holds"
    yield ""
    yield from _table(("held until", "by", "ends with", "its cause is gone with"), _ends(pack))
    yield ""


def _ends(pack: Pack) -> Iterator[tuple[str, ...]]:
    """What ends each hold; rows that have the same one share a line."""
    held_by: dict[tuple[str, str, str], list[str]] = {}
    for rule in pack.rules:
        for hold in rule.holds:
            key = hold.until, _any_of(hold.ends), _any_of(hold.cause_gone)
            held_by.setdefault(key, []).append(f"`{rule.id}`")
    for (until, ends, cause_gone), rows in held_by.items():
        yield until, "<br>".join(dict.fromkeys(rows)), ends, cause_gone


def _table(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for cells in lines:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _row(pack: Pack, rule: Rule) -> tuple[str, ...]:
    return (
        f"`{rule.id}`",
        "<br>".join(rule.cite) or "own",
        _effect(rule),
        "<br>".join(pack.directives[name] for name in rule.do),
        "<br>".join(_hold(hold) for hold in rule.holds),
    )


def _effect(rule: Rule) -> str:
    more = {
        "the round is void": rule.void,
        "no roll": rule.no_roll,
        "the deal ends": rule.ends_dealing,
        f"until {' or '.join(rule.done_on)}": rule.done_on,
    }
    return "; ".join([EFFECTS[rule.effect], *(words for words, holds in more.items() if holds)])


def _hold(hold: HoldRule) -> str:
    does = [f"keeps {' and '.join(hold.gates)} closed"] if hold.gates else []
    if hold.while_cause:
        does.append(f"keeps {' and '.join(hold.while_cause)} closed while its cause is there")
    if hold.stops:
        does.append("inhibits it")
    if hold.stops_family:
        does.append(f"inhibits the {hold.stops_family}")
    after = ", the round that is on excepted" if hold.after_round else ""
    two = "; two people override" if hold.override == "two" else ""
    return f"{BOUND[hold.binds]}: {' and '.join(does) or 'advice'}{after}, until {hold.until}{two}"


def _any_of(ways: tuple[On, ...]) -> str:
    return "<br>".join(_way(way) for way in ways)


def _way(way: On) -> str:
    facts = " or ".join(f"`{name}`" for name in way.on)
    asks = [condition.text for condition in way.when]
    if way.by:
        asks.append(f"by {' or '.join(way.by)}")
    if way.once_gone:
        asks.append("the cause is gone")
    return f"{facts}: {', '.join(asks)}" if asks else facts
