"""`felt run` and a floor system that stores, as the programs that they are."""

from __future__ import annotations

import asyncio
import getpass
import signal
import sqlite3
import sys
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_daemon.control import AnswerUnknown, call
from felt_daemon.journal import Reader
from felt_daemon.shell.rows import row_of

from ...shell.felt_run import answering, table_text  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    import subprocess
    from collections.abc import AsyncIterator, Callable, Generator, Mapping

    from felt_protocols.events import Row

DEADLINE_S = 60.0
TABLE = "t-1"
STORING = Path(__file__).parents[3] / "examples" / "floor" / "store_sqlite.py"

_CONFIG = """\
[journal]
directory = "{folder}"
[broker]
mode = "external"
host = "{host}"
port = {port}
keepalive_s = 5
{consumers}
[control.roles.dealer]
users = ["{user}"]
"""


class Table:
    """`felt run`, without devices, at a broker."""

    def __init__(self, folder: Path, port: int, host: str = "127.0.0.1", consumers: str = "") -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.config = folder / "table.toml"
        self.text = table_text(folder, TABLE) + _CONFIG.format(
            folder=folder, host=host, port=port, consumers=consumers, user=getpass.getuser()
        )
        self.config.write_text(self.text, encoding="utf-8")
        self.environment: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it, and wait until it can be asked."""
        self._process = answering(self.folder, self.config, environment=self.environment)

    def log(self) -> str:
        """What it said."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def happen(self) -> int:
        """Let something happen at the table: a dealer comes. Returns the row's sequence."""
        answer = call(self.folder / "control", "new-dealer")
        assert answer.ok, answer.why
        return int(str(answer.data["sequence"]))

    def try_to_happen(self) -> None:
        """Ask for the same; it may be put off while the journal cannot be written, or not be answered."""
        with suppress(AnswerUnknown):
            call(self.folder / "control", "new-dealer")

    def health(self) -> Any:  # noqa: ANN401 - tests look at some of its parts
        """What it says of itself."""
        return call(self.folder / "control", "health").data

    @property
    def connected(self) -> bool:
        """Whether it has a connection to the broker."""
        return str(self.health()["broker"]["now"]) == "broker up"

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it as systemd does."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            assert self._process.wait(30) == 0, self.log()

    @property
    def publisher(self) -> int:
        """The process id of its publisher."""
        assert self._process is not None
        pid = self._process.pid
        [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        return int(child)

    def rows(self) -> list[Row]:
        """Every committed row."""
        with Reader(self.folder / "journal.db") as reader:
            return [row_of(stored) for stored in reader.read(TABLE, 0, 100_000)]

    def cursors(self) -> Mapping[str, int]:
        """How far everybody is, as the journal knows it."""
        with closing(sqlite3.connect(self.folder / "journal.db")) as journal:
            return dict(journal.execute("SELECT name, seq FROM cursors").fetchall())


@contextmanager
def locked(journal: Path) -> Generator[None]:
    """While this lasts, another program has the journal for itself."""
    other = sqlite3.connect(journal, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("COMMIT")
        other.close()


class Storing:
    """The storing example of the floor, which can be frozen and killed."""

    def __init__(self, port: int, consumer: str, file: Path) -> None:
        self._file = file
        self._arguments = ("127.0.0.1", str(port), consumer, str(file))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, str(STORING), *self._arguments, stderr=asyncio.subprocess.DEVNULL
        )

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    def sequences(self) -> list[int]:
        """Every sequence stored, in the order in which it was stored; none of them has a fault."""
        if not self._file.exists():
            return []
        with closing(sqlite3.connect(self._file)) as database:
            if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'position'").fetchone():
                return []
            rows = database.execute("SELECT sequence, faults FROM event ORDER BY rowid").fetchall()
        assert {faults for _, faults in rows} <= {""}
        return [sequence for sequence, _ in rows]


@asynccontextmanager
async def storing(port: int, consumer: str, file: Path) -> AsyncIterator[Storing]:
    """A floor system that stores until the block ends."""
    one = Storing(port, consumer, file)
    await one.start()
    try:
        yield one
    finally:
        with suppress(ProcessLookupError):
            one.signal(signal.SIGCONT)
        await one.kill()


async def until(condition: Callable[[], bool], limit_s: float = DEADLINE_S) -> None:
    """Look again and again until something holds that nobody tells of."""
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.02)
