"""`felt run` with two configurations: one process, one journal, one socket, two tables that stay apart."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import os
import signal
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from felt_daemon.cli import exits, main
from felt_daemon.control import call
from felt_daemon.journal import Reader
from felt_daemon.journal.verify import verify
from felt_daemon.publisher.broker import EmbeddedBroker, chosen
from felt_daemon.shell.rows import row_of
from felt_protocols.events import card, deck, device, system
from felt_simulators.cards import new_deck
from felt_simulators.devices.hands import Refused
from felt_simulators.listener import Listener

from .felt_run import answering, table_text

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from conftest import Felt

    from felt_protocols.events import Event

TABLES = ("t-1", "t-2")
LIMIT_S = 60.0
WHICH = "several tables are here: t-1, t-2; say which one it is for (--table)"
CONFIG = """\
[journal]
directory = "{folder}/state"
[broker]
mode = "external"
host = "127.0.0.1"
port = {port}
[control.roles.floor]
users = ["{user}"]
[control.roles.dealer]
users = ["{user}"]
"""


class House:
    """One device process for two tables, and what it leaves behind."""

    def __init__(self, folder: Path, port: int = 9) -> None:
        self.folder = folder
        self.control = folder / "control"
        self.journal = folder / "state" / "journal.db"
        self.daemon: subprocess.Popen[bytes] | None = None
        for table in TABLES:
            text = table_text(folder, table) + CONFIG.format(folder=folder, port=port, user=getpass.getuser())
            (folder / f"{table}.toml").write_text(text, encoding="utf-8")

    def start(self) -> None:
        """Start the process and wait until it answers."""
        files = (self.folder / f"{table}.toml" for table in TABLES)
        self.daemon = answering(self.folder, *files, table=TABLES[0])

    def log(self) -> str:
        """What the process has said."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End the process; its exit code."""
        assert self.daemon is not None
        self.daemon.send_signal(number)
        return self.daemon.wait(30)

    def felt(self, *words: str) -> int:
        """Run `felt` at the process's socket."""
        return main([*words, "--control", str(self.control)])

    def events(self, table: str) -> list[Event]:
        """Every committed row's event of a table, whose rows are numbered without a gap."""
        with Reader(self.journal) as reader:
            rows = [row_of(stored) for stored in reader.read(table, 0, 10_000)]
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        return [row.event for row in rows]

    # ---- For a loop in which devices run ---------------------------------------------------------------

    async def ask(self, table: str, command: str, **args: object) -> dict[str, Any]:
        """The data of an answer that is yes."""
        answer = await asyncio.to_thread(call, self.control, command, args, table=table)
        assert answer.ok, answer.why
        return dict(answer.data)

    async def until(self, table: str, condition: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until the state of a table is so."""
        async with asyncio.timeout(LIMIT_S):
            while not condition(await self.ask(table, "state")):  # noqa: ASYNC110 - nobody tells a change here
                await asyncio.sleep(0.02)


@pytest.fixture
def running() -> Iterator[list[House]]:
    """Houses whose process ends with the test, however that ends."""
    houses: list[House] = []
    yield houses
    for one in houses:
        if one.daemon is not None and one.daemon.poll() is None:
            one.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two tables without devices or broker; the second one's register of people is broken."""
    folder = tmp_path_factory.mktemp("house")
    one = House(folder)
    (folder / "people.json").write_text("{", encoding="utf-8")
    with (folder / "t-2.toml").open("a", encoding="utf-8") as file:
        file.write(f'[people]\nregister = "{folder}/people.json"\n')
    one.start()
    yield one
    assert one.end() == exits.OK


def test_where_two_tables_are_felt_wants_to_know_which(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in ("state", "health"):
        assert house.felt(question) == exits.REFUSED
        assert capsys.readouterr().err == f"felt: {WHICH}\n"
    for table in TABLES:
        assert house.felt("state", "--table", table, "--json") == exits.OK
        assert json.loads(capsys.readouterr().out)["table"] == table
    assert house.felt("open-table") == exits.REFUSED
    assert capsys.readouterr().err == f"open-table: {WHICH}\n"


def test_a_command_is_a_row_of_its_table_and_of_no_other(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(house.events("t-2"))
    assert house.felt("change-deck", "red", "--table", "t-1", "--role", "floor") == exits.OK
    sequence = int(capsys.readouterr().out.rpartition(" ")[2])
    assert house.events("t-1")[sequence - 1].what() == "deck-changed"
    assert "deck-changed" not in [event.what() for event in house.events("t-2")[before:]]
    assert main(["journal", "show", str(house.journal), "--table", "t-2", "--json"]) == exits.OK
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["stream"] for row in rows} == {"t-2"}


def test_a_register_that_is_broken_at_one_table_is_no_trouble_of_the_other(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    people = []
    for table in TABLES:
        assert house.felt("health", "--table", table) == exits.OK
        people.append(json.loads(capsys.readouterr().out)["people"])
    assert people[0] == "no register"
    assert people[1].startswith(f"{house.folder}/people.json: ")
    assert "felt: the table runs all the same" in house.log()


def test_the_log_says_which_table_a_line_is_about(house: House) -> None:
    lines = house.log().splitlines()
    absent = [line for line in lines if "shoe-1: port absent" in line]
    assert sorted(line.partition(" shoe-1")[0] for line in absent) == ["felt: t-1:", "felt: t-2:"]


# ---- With devices, and a floor that listens ---------------------------------------------------------------


@pytest_asyncio.fixture
async def felts(tmp_path: Path, felt_in: Callable[[Path], Awaitable[Felt]]) -> dict[str, Felt]:
    """The devices of both tables on their lines."""
    for table in TABLES:
        (tmp_path / table).mkdir()
    return {table: await felt_in(tmp_path / table) for table in TABLES}


@dataclass(frozen=True, slots=True)
class Floor:
    """A broker's port, and a consumer of every table there."""

    port: int
    listener: Listener


@pytest_asyncio.fixture
async def floor() -> AsyncIterator[Floor]:
    """A broker, and a consumer of every table."""
    broker = EmbeddedBroker(chosen())
    await broker.start()
    listener = Listener("127.0.0.1", broker.port)
    listening = asyncio.create_task(listener.run())
    await listener.until(lambda: listener.connected, LIMIT_S)
    yield Floor(broker.port, listener)
    listening.cancel()
    await asyncio.wait((listening,))
    await broker.stop()


async def _ready(house: House, table: str, felt: Felt) -> None:
    """Open a table with a shuffled deck in the shoe, bets closed, dice thrown."""
    await house.until(table, lambda state: set(state["devices"].values()) == {"ready"})
    await house.ask(table, "change-dice", device="shaker-1")
    await house.ask(table, "change-deck", deck="red", preshuffled=True)
    felt.hand("shuffler-1", felt.shuffler.load, new_deck("red", "red", "table").stack())
    await _until(lambda: any(isinstance(event, deck.ShuffleCompleted) for event in house.events(table)))
    cards = felt.hand("shuffler-1", felt.shuffler.unload)
    await house.until(table, lambda state: state["decks"]["red"]["places"].get("hand") == 53)
    felt.hand("shoe-1", felt.shoe.load, cards)
    await house.until(table, lambda state: state["decks"]["red"]["places"].get("shoe") == 53)
    await house.ask(table, "change-deck", deck="blue", preshuffled=True)
    await house.ask(table, "open-table")
    await house.ask(table, "no-more-bets")
    for _ in range(3):
        felt.hand("shaker-1", felt.shaker.shake)
    felt.hand("shaker-1", felt.shaker.uncover)


async def _permitted(felt: Felt) -> None:
    """Wait until the shoe may deal."""
    await _until(lambda: felt.shoe._electronics.permit != {})


async def _deal(felt: Felt, stacks: int) -> None:
    """So many more stacks, each as soon as the shoe gives it."""
    for _ in range(stacks):
        before = len(felt.shoe.truth["stacks"])
        async with asyncio.timeout(LIMIT_S):
            while len(felt.shoe.truth["stacks"]) == before:
                # Refused until the permit is there, and while a stack comes out.
                with contextlib.suppress(Refused):
                    felt.hand("shoe-1", felt.shoe.press_deal)
                await asyncio.sleep(0.05)
        felt.hand("shoe-1", felt.shoe.take_stack)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - devices, disk and log wake nobody here
            await asyncio.sleep(0.02)


async def _end_round(house: House, table: str, felt: Felt) -> None:
    felt.hand("shoe-1", felt.shoe.remove_rest)
    await house.until(table, lambda state: state["round"]["phase"] == "playing")
    await house.ask(table, "round-end")


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.asyncio
async def test_a_kill_of_the_process_loses_nothing_of_either_table_nor_of_what_the_floor_hears(
    tmp_path: Path, felts: dict[str, Felt], floor: Floor, running: list[House]
) -> None:
    running.append(house := House(tmp_path, floor.port))
    await asyncio.to_thread(house.start)
    for table, felt in felts.items():
        await _ready(house, table, felt)
    await asyncio.gather(*(_deal(felt, 3) for felt in felts.values()))
    await floor.listener.until(lambda: _heard(floor).keys() == set(TABLES), LIMIT_S)
    await asyncio.to_thread(house.end, signal.SIGKILL)
    # Within its lease the shoe deals on; what it tells waits in its memory.
    await _deal(felts["t-1"], 1)
    await asyncio.to_thread(house.start)
    await asyncio.gather(_deal(felts["t-1"], 3), _deal(felts["t-2"], 4))
    for table, felt in felts.items():
        await _end_round(house, table, felt)
    # Each table has its own session, and the floor hears every event of both, in order and proved.
    told = {table: len(house.events(table)) for table in TABLES}
    await floor.listener.until(
        lambda: all(_heard(floor).get(table, 0) >= last for table, last in told.items()), LIMIT_S
    )
    assert floor.listener.unproved == 0
    assert await asyncio.to_thread(house.end) == exits.OK

    for table, felt in felts.items():
        events = house.events(table)
        assert sum(isinstance(event, system.Started) for event in events) == 2
        assert isinstance(events[-1], system.Stopped)
        assert not any(isinstance(event, device.EventsLost) for event in events)
        sizes = [event.size for event in events if isinstance(event, card.StackDispensed)]
        assert sizes == [stack["size"] for stack in felt.shoe.truth["stacks"]] == [7] * 7
    report = verify(house.journal)
    assert report.sound
    assert sorted(report.streams) == list(TABLES)


def _heard(floor: Floor) -> dict[str, int]:
    """The last sequence that the floor has of each table."""
    return {table: ledger.last or 0 for (table, _), ledger in floor.listener.ledgers.items()}


def _unwritten(floor: Floor) -> dict[str, str | None]:
    """Why each table's journal cannot be written, as the floor knows it."""
    states = {table: floor.listener.retained[f"felt/1/{table}/state"] for table in TABLES}
    return {table: state.get("journal", {}).get("kind") for table, state in states.items()}


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.asyncio
async def test_a_publisher_that_dies_silences_its_own_table_alone_and_comes_back(
    tmp_path: Path, floor: Floor, running: list[House]
) -> None:
    running.append(house := House(tmp_path, floor.port))
    await asyncio.to_thread(house.start)
    online = {f"felt/1/{table}/status": True for table in TABLES}

    def seen() -> dict[str, bool]:
        return {topic: floor.listener.retained.get(topic, {}).get("online") for topic in online}

    await floor.listener.until(lambda: seen() == online, LIMIT_S)
    before = len(floor.listener.statuses)
    # What becomes of a file while the table runs is no concern of this run.
    (tmp_path / "t-2.toml").write_text("no configuration\n", encoding="utf-8")
    os.kill(_publisher_of(house, "t-2"), signal.SIGKILL)
    await floor.listener.until(lambda: not seen()["felt/1/t-2/status"], LIMIT_S)
    assert seen()["felt/1/t-1/status"]
    await floor.listener.until(lambda: seen() == online, LIMIT_S)
    assert {status["online"] for status in floor.listener.statuses[before:]} == {True, False}
    assert await asyncio.to_thread(house.end) == exits.OK


def _publisher_of(house: House, table: str) -> int:
    """The process id of a table's publisher."""
    assert house.daemon is not None
    for child in Path(f"/proc/{house.daemon.pid}/task/{house.daemon.pid}/children").read_text().split():
        if table.encode() in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
            return int(child)
    raise AssertionError("no such publisher")


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.asyncio
async def test_a_journal_that_takes_nothing_takes_the_leases_of_both_tables_and_both_tell_the_floor(
    tmp_path: Path, felts: dict[str, Felt], floor: Floor, running: list[House]
) -> None:
    running.append(house := House(tmp_path, floor.port))
    await asyncio.to_thread(house.start)
    for table, felt in felts.items():
        await _ready(house, table, felt)
        await _permitted(felt)
    lock = sqlite3.connect(house.journal, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    # A row of the first table waits; the second has none.
    waiting = asyncio.create_task(house.ask("t-1", "call-floor"))
    await _until(lambda: "rows wait for the disk" in house.log())
    await _until(
        lambda: [felt.shoe._electronics._session.why for felt in felts.values()] == ["host-lost"] * 2
    )
    await floor.listener.until(lambda: _unwritten(floor) == dict.fromkeys(TABLES, "busy"), LIMIT_S)
    lock.execute("COMMIT")
    lock.close()
    await waiting
    await floor.listener.until(lambda: _unwritten(floor) == dict.fromkeys(TABLES), LIMIT_S)
    assert await asyncio.to_thread(house.end) == exits.OK
