"""Any mix of appends, commits, closes and starts leaves exactly what was appended, in order."""

from __future__ import annotations

import itertools
import json
import shutil
import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from felt_daemon.journal import Entry, Journal, Reader, SequenceError
from felt_daemon.journal.verify import verify

STREAMS = st.sampled_from(["table-1", "table-2", "meter-a"])
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


class JournalMachine(RuleBasedStateMachine):
    """The model is a list of entries per stream, and the side tables as dictionaries."""

    topics = Bundle("topics")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="felt-journal-"))
        self.path = self.folder / "journal.db"
        self.clock = itertools.count(1_767_323_100_000_000)
        self.rows: dict[str, list[Entry]] = {}
        self.order: list[tuple[str, int]] = []
        self.retained: set[str] = set()
        self.cursors: dict[str, int] = {}

    @initialize()
    def start(self) -> None:
        """Open the journal, new or old."""
        self.journal = Journal.open(
            self.path,
            now=lambda: next(self.clock),
            on_commit=lambda _: None,
            on_trouble=lambda _: None,
        )

    @rule(group=st.lists(st.tuples(STREAMS, TEXT, st.booleans(), st.integers(0, 2**63 - 1)), max_size=5))
    def append(self, group: list[tuple[str, str, bool, int]]) -> None:
        """Append a group over any streams."""
        entries: list[Entry] = []
        for stream, text, flag, number in group:
            rows = self.rows.setdefault(stream, [])
            entry = Entry(
                stream=stream,
                seq=len(rows) + 1,
                type="felt.system.noted.v1",
                v=1,
                boot="boot",
                start="start",
                mono_ns=number,
                utc_us=number % 253_402_300_800_000_000,
                clock="trusted" if flag else "untrusted",
                late=flag,
                simulated=not flag,
                cause=number or None,
                public=json.dumps({"text": text}, ensure_ascii=False).encode(),
                private=json.dumps({"text": text}).encode(),
            )
            rows.append(entry)
            entries.append(entry)
            self.order.append((stream, entry.seq))
        self.journal.append(entries)

    @rule(stream=STREAMS, off=st.sampled_from([-1, 1, 2]))
    def append_out_of_turn(self, stream: str, off: int) -> None:
        """A gap or a repetition is refused."""
        rows = self.rows.get(stream, [])
        if not rows:
            return
        wrong = Entry(
            **{name: getattr(rows[-1], name) for name in Entry.__slots__ if name != "seq"},
            seq=max(1, len(rows) + 1 + off),
        )
        try:
            self.journal.append([wrong])
        except SequenceError:
            return
        raise AssertionError("a gap was taken")

    @rule(target=topics, name=TEXT)
    def retain(self, name: str) -> str:
        """Note a topic."""
        self.journal.retained_add(name)
        self.retained.add(name)
        return name

    @rule(topic=topics)
    def drop(self, topic: str) -> None:
        """Forget a topic."""
        self.journal.retained_drop(topic)
        self.retained.discard(topic)

    @rule(name=TEXT, seq=st.integers(1, 100))
    def move_cursor(self, name: str, seq: int) -> None:
        """Move a cursor, also backwards."""
        self.journal.set_cursor(name, "table-1", seq)
        self.cursors[name] = seq

    @rule()
    def restart(self) -> None:
        """Everything is there after a clean restart."""
        assert self.journal.close(10.0) == 0
        self.start()
        assert self.journal.retained() == self.retained
        for name, seq in self.cursors.items():
            assert self.journal.cursor(name, "table-1") == seq
        self.compare_all()

    @invariant()
    def what_is_committed_is_a_beginning_of_what_was_appended(self) -> None:
        """At any moment."""
        if not hasattr(self, "journal"):
            return
        with Reader(self.path) as reader:
            committed = [(row.entry.stream, row.entry.seq) for row in reader.read_all()]
        assert committed == self.order[: len(committed)]

    def compare_all(self) -> None:
        """Rows come back as they were given."""
        for stream, rows in self.rows.items():
            assert [row.entry for row in self.journal.read(stream)] == rows

    def teardown(self) -> None:  # type: ignore[explicit-override]  # typing.override is Python 3.12's
        """The chain holds at the end."""
        if hasattr(self, "journal"):
            assert self.journal.close(10.0) == 0
            report = verify(self.path)
            assert report.problems == []
            assert report.rows == len(self.order)
        shutil.rmtree(self.folder)


JournalMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestJournalMachine = JournalMachine.TestCase
