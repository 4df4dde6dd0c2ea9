"""Why a row says what it says: the facts behind it, the rule as it was then, and what came of it.

Everything is one document, which programs get as JSON and people as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from felt_daemon.journal import Filter
from felt_daemon.replay import reasons
from felt_daemon.replay.laws import NoLaw
from felt_daemon.replay.origins import Watch
from felt_daemon.replay.past import Past
from felt_daemon.replay.told import document_of
from felt_daemon.story.finding import named_rows
from felt_daemon.story.record import said
from felt_daemon.story.words import sentence
from felt_daemon.table import evolve
from felt_daemon.table.focus import Asking
from felt_protocols.events import device, incident, ruling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.journal import Reader
    from felt_daemon.replay.laws import Law, Laws
    from felt_daemon.replay.origins import Origin
    from felt_daemon.replay.past import Progress
    from felt_daemon.rules import Pack
    from felt_daemon.rules.pack import Rule
    from felt_daemon.story.record import Said
    from felt_daemon.table.state import State
    from felt_protocols.events import Row

Document = dict[str, Any]

_LATER = ("hold-cause-gone", "hold-ended", "incident-closed")


@dataclass(frozen=True, slots=True)
class _Moment:
    """When a rule, a remedy or a gate looked that led to a row: at which fact, and in which state."""

    law: Law
    state: State
    row: Row
    fact: Row
    origin: Origin


def explain(laws: Laws, table: str, seq: int, progress: Progress | None = None) -> Document:
    """All that there is to say about a row that is in the journal; raises what a reader raises.

    Where what was in force cannot be had, `unknown` says why, and the rule is told without its conditions.
    """
    past = Past(laws, table, progress)
    rows = past.step_of(seq)
    row = next(one for one in rows if one.seq == seq)
    unknown, law, moment = None, None, None
    try:
        law = past.law_before(rows[0].seq)
        moment = _moment(past, law, rows, row)
    except NoLaw as error:
        unknown = str(error)
    pack = None if law is None else law.pack
    number = _incident(row)
    return {
        "table": table,
        "epoch": laws.reader.epoch,
        "id": f"{laws.reader.epoch}-{seq}",
        "row": document_of(row, pack),
        "causes": [document_of(one, pack) for one in _causes(rows, row)],
        "rule": None if moment is None else _rule(moment),
        "remedies": [] if moment is None else _remedies(moment),
        "needs": [] if moment is None else _needs(moment),
        "incident": None if number is None else _of_incident(laws.reader, rows, number, pack),
        "caused": [document_of(one, pack) for one in rows if one.cause == seq],
        "beside": [
            document_of(one, pack)
            for one in rows
            if row.cause is not None and one.cause == row.cause and one.seq != seq
        ],
        "unknown": unknown,
    }


def _moment(past: Past, law: Law, rows: list[Row], row: Row) -> _Moment | None:
    """The moment at which something looked that led to the row; none where nothing asks a condition."""
    fact = next((one for one in rows if one.seq == row.cause), None)
    if fact is None or not isinstance(row.event, reasons.ASKED):
        return None
    names = {name for asked in reasons.asked_for(law.pack, row.event, fact.event) for name in asked.names()}
    about = Asking(row.event.device) if isinstance(row.event, device.OrderIssued) else fact
    watch = Watch(law, about, names)
    state = past.state_before(rows[0].seq, law, watch)
    for one in rows:
        if reasons.looked_before(row, one):
            break
        state = evolve(state, one)
        watch.see(one, state)
    return _Moment(law, state, row, fact, watch.origin(state))


def last_ruling(reader: Reader, table: str) -> int | None:
    """The seq of the last ruling; none if there was none."""
    found = reader.last(1, Filter(stream=table, type_glob="ruling-made"))
    return found[0].seq if found else None


def _causes(rows: list[Row], row: Row) -> list[Row]:
    """From the first fact to the direct cause."""
    by_seq = {one.seq: one for one in rows}
    found: list[Row] = []
    cause = row.cause
    while cause is not None and cause in by_seq:
        found.append(by_seq[cause])
        cause = by_seq[cause].cause
    return found[::-1]


def _incident(row: Row) -> int | None:
    number: object = getattr(row.event, "incident", None)
    return number if isinstance(number, int) else None


def _rule(at: _Moment) -> Document | None:
    """The rule behind a row, with the ways in which it could fire on its fact."""
    rule = reasons.rule_of(at.law.pack, at.state, at.row.event)
    if rule is None:
        return None
    return _rule_document(at.law.pack, rule) | {
        "pack_digest": at.law.marks.pack,
        "fired": list(reasons.fired(at.law.pack, at.state, rule, at.fact.event, at.origin)),
    }


def _rule_document(pack: Pack, rule: Rule) -> Document:
    return {
        "id": rule.id,
        "cite": list(rule.cite),
        "basis": rule.basis,
        "since": rule.since.isoformat(),
        "text": pack.text_of(rule),
        "standing": pack.source.standing,
        "source": pack.source.bulletin,
        "chapter": pack.source.chapter,
        "game": pack.source.game,
        "says": rule.says,
        "effect": rule.effect,
        "void": rule.void,
        "directives": [pack.directives.get(name, name) for name in rule.do],
        "note": rule.note,
    }


def _remedies(at: _Moment) -> list[Document]:
    if not isinstance(at.row.event, incident.HoldEnded):
        return []
    return reasons.ended(at.law.pack, at.state, at.row.event, at.fact.event, at.origin)


def _needs(at: _Moment) -> list[Document]:
    if not isinstance(at.row.event, device.OrderIssued):
        return []
    return reasons.permitted(at.law.pack, at.state, at.row.event, at.origin)


def _of_incident(reader: Reader, rows: list[Row], number: int, pack: Pack | None) -> Document:
    """An incident: its ruling in this step, its holds, and what ended them."""
    table, first = rows[0].stream, rows[0].seq
    made = [one for one in rows if _incident(one) == number]
    holds: dict[int, Document] = {}
    for one in made:
        if isinstance(one.event, incident.HoldOpened):
            holds[one.event.hold] = document_of(one, pack) | {"ended": None, "cause_gone": None}
    closed: Document | None = None
    words = _reports(pack)
    for later in _later(reader, table, first, number):
        told = _told(reader, later, words)
        if later.type == "incident-closed":
            closed = told
        elif (hold := holds.get(later.get("hold"))) is not None:
            hold["cause_gone" if later.type == "hold-cause-gone" else "ended"] = told
    return {
        "number": number,
        "ruling": next((one.seq for one in made if isinstance(one.event, ruling.RulingMade)), None),
        "holds": [{"hold": hold} | about for hold, about in holds.items()],
        "closed": closed,
    }


def _reports(pack: Pack | None) -> dict[str, str]:
    return {} if pack is None else {word: kind.says for word, kind in pack.reports.items()}


def _later(reader: Reader, table: str, first: int, number: int) -> Iterator[Said]:
    """What ended an incident, up to its end."""
    head = reader.head(table)
    for row in named_rows(reader, table, _LATER, first, 0 if head is None else head.seq):
        if row.get("incident") == number:
            yield row
            if row.type == "incident-closed":
                return


def _told(reader: Reader, row: Said, words: Mapping[str, str]) -> Document:
    """A later row of an incident, and the fact that it followed from."""
    found = None if row.cause is None else reader.find(row.stream, row.cause)
    fact = None if found is None else said(found)
    return {
        "seq": row.seq,
        "utc": row.utc,
        "says": sentence(row, words),
        "fact": None if fact is None else {"seq": fact.seq, "says": sentence(fact, words)},
    }
