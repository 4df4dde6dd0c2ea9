"""What the floor's consumer stored, held against what the tables really sent. Nothing here knows MQTT."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from felt_simulators.floor.store import Stored

Truth = dict[str, Any]
_PERCENTS: Final = (50, 95, 99)
_NS_PER_MS: Final = 1_000_000
# So many of the tables that fared worst are named.
_WORST: Final = 5


@dataclass(slots=True)
class TableVerdict:
    """One table: how many events it sent, and what became of them.

    `wrong`: events that the table never sent, or sent with another content.
    """

    sent: int
    received: int = 0
    doubled: int = 0
    out_of_order: int = 0
    wrong: int = 0
    told_ms: list[float] = field(default_factory=list[float])
    acked_ms: list[float] = field(default_factory=list[float])

    @property
    def missing(self) -> int:
        """How many never arrived."""
        return self.sent - self.received

    @property
    def amiss(self) -> int:
        """How many did not arrive once, in order, as they were sent."""
        return self.missing + self.doubled + self.out_of_order + self.wrong


def judge(truths: Iterable[Truth], came: Iterable[Stored]) -> dict[str, TableVerdict]:
    """Every table's verdict, by its name."""
    known: dict[str, Truth] = {truth["table"]: truth for truth in truths}
    found = {name: TableVerdict(len(truth["fingerprints"])) for name, truth in known.items()}
    seen: dict[str, set[int]] = {name: set() for name in known}
    last = dict.fromkeys(known, 0)
    stray = TableVerdict(0)
    for each in came:
        truth, verdict = known.get(each.table), found.get(each.table, stray)
        sequence = each.sequence
        if truth is None or not _is_true(truth, each):
            verdict.wrong += 1
        elif sequence in seen[each.table]:
            verdict.doubled += 1
        else:
            seen[each.table].add(sequence)
            verdict.received += 1
            verdict.out_of_order += sequence < last[each.table]
            last[each.table] = max(last[each.table], sequence)
            verdict.told_ms.append((each.at_ns - truth["happened_ns"][sequence - 1]) / _NS_PER_MS)
    for name, truth in known.items():
        both = zip(truth["happened_ns"], truth["acked_ns"], strict=False)
        found[name].acked_ms = [(acked - happened) / _NS_PER_MS for happened, acked in both]
    return found | ({"": stray} if stray.wrong else {})


def _is_true(truth: Truth, came: Stored) -> bool:
    prints = truth["fingerprints"]
    right_place = came.epoch == truth["epoch"] and 0 < came.sequence <= len(prints)
    return right_place and came.fingerprint == prints[came.sequence - 1]


def summed(verdicts: Mapping[str, TableVerdict]) -> dict[str, Any]:
    """All tables together, and those that fared worst."""
    every = verdicts.values()
    names = ("sent", "received", "missing", "doubled", "out_of_order", "wrong")
    ranked = sorted(verdicts.items(), key=lambda item: item[1].amiss, reverse=True)
    worst = [
        {"table": name, **{what: getattr(one, what) for what in names}}
        for name, one in ranked[:_WORST]
        if one.amiss
    ]
    slow = max(verdicts.items(), key=lambda item: max(item[1].told_ms, default=0.0), default=None)
    return {
        **{what: sum(getattr(one, what) for one in every) for what in names},
        "worst": worst,
        "handed_over_ms": percentiles([value for one in every for value in one.told_ms]),
        "acknowledged_ms": percentiles([value for one in every for value in one.acked_ms]),
        "slowest_table": slow[0] if slow else None,
    }


def percentiles(values: Sequence[float]) -> dict[str, float] | None:
    """The values that so many percent do not exceed, and the largest; None without any."""
    if not values:
        return None
    ordered = sorted(values)
    found = {
        f"p{percent}": round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 2)
        for percent in _PERCENTS
    }
    return found | {"max": round(ordered[-1], 2)}
