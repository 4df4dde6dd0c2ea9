"""`felt run` with a certificate: it runs with one that is wrong, says so everywhere, and heals by itself."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.control import NotReachable, call
from felt_daemon.journal import Reader

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.tls.conftest import Site

    from felt_daemon.config.model import Tls
    from felt_daemon.publisher.broker import EmbeddedBroker

EXAMPLE = Path(__file__).parents[2] / "examples" / "asia-poker.toml"
DEADLINE_S = 60.0
LOOK_S = 0.1

pytestmark = [pytest.mark.asyncio, pytest.mark.long]


class Table:
    """A table of the example, with this way to the broker, as the program that it is."""

    def __init__(self, folder: Path, port: int, files: Tls) -> None:
        self.folder = folder
        head, _, rest = EXAMPLE.read_text(encoding="utf-8").partition("[broker]")
        paths = "".join(f'{name} = "{path}"\n' for name, path in files.model_dump().items())
        broker = f'[broker]\nmode = "external"\nhost = "localhost"\nport = {port}\n[broker.tls]\n{paths}'
        self.config = folder / "table.toml"
        self.config.write_text(f"{head}{broker}\n[control]{rest.partition('[control]')[2]}", encoding="utf-8")
        self.log = folder / "log"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Until the block ends."""
        words = ("--state-dir", str(self.folder), "--control", str(self.folder / "control"))
        with self.log.open("ab") as log:
            program = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "felt_daemon", "run", str(self.config), *words), stderr=log
            )
        try:
            yield
        finally:
            program.terminate()
            async with asyncio.timeout(DEADLINE_S):
                await program.wait()
        assert program.returncode == 0

    async def broker_until(self, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What `felt health` says of the broker, once it is right."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                try:
                    answer = await asyncio.to_thread(call, self.folder / "control", "health")
                except NotReachable:
                    pass
                else:
                    assert isinstance(answer.data, dict)
                    if right(answer.data["broker"]):
                        return answer.data["broker"]
                await asyncio.sleep(LOOK_S)

    def rows(self) -> list[tuple[str, dict[str, Any]]]:
        """Every row about certificates."""
        with Reader(self.folder / "journal.db") as reader:
            entries = [stored.entry for stored in reader.read("asia-1")]
        return [(one.type, json.loads(one.public)) for one in entries if one.type.startswith("certificate-")]


async def test_a_table_runs_with_a_wrong_key_and_is_on_the_floor_as_soon_as_it_has_its_own(
    broker: EmbeddedBroker, site: Site, table: Tls, tmp_path: Path
) -> None:
    good = table.key.read_bytes()
    table.key.write_bytes(site.issue("table", "asia-1").key.read_bytes())
    why = f"{table.key}: it does not belong to {table.certificate}: one of the two is of another pair"
    one = Table(tmp_path, broker.port, table)
    async with one.running():
        found = await one.broker_until(lambda broker: "unusable" in broker["certificates"])
        assert found["certificates"] == {"unusable": why}
        found = await one.broker_until(lambda broker: broker["now"] != "not tried yet")
        assert found["now"] == f"broker down: no connection: {why}"
        table.key.write_bytes(good)
        found = await one.broker_until(lambda broker: broker["now"] == "broker up")
        assert set(found["certificates"]) == {"table", "authority", "broker"}
    log = one.log.read_text(encoding="utf-8")
    assert "felt: the table runs all the same; the floor may get nothing from it until this is right" in log
    # Tried again and again, told once by each who has to do with it.
    assert log.count(f"publisher: no connection: {why}") == 1
    assert log.count(f"broker down: no connection: {why}") == 1
    assert [(what, row.get("why", row.get("until"))) for what, row in one.rows()] == [
        ("certificate-unusable", why),
        ("certificate-renewed", found["certificates"]["table"]),
    ]
