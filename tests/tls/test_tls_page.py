"""docs/tls.md: its commands do what it says, its settings are taken, its messages are those that are told."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.certificates.pair import examined
from felt_daemon.cli import main
from felt_daemon.config.model import Tls
from felt_daemon.publisher import adapter, tls
from felt_daemon.publisher.adapter import Access, Connection, Message
from felt_daemon.publisher.broker import EmbeddedBroker, Program, mosquitto

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tls.md").read_text(encoding="utf-8")
MQTT_PAGE = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
DENIED = 0x87
PUBLISHED = "felt/1/asia-1/event/card"


def blocks(page: str, kind: str = "") -> list[str]:
    """The blocks of code of one kind, in the page's order."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    return [text for of, text in found if of == kind]


def commands(program: str) -> Iterator[list[str]]:
    """Each command line of the page that runs a program, as a shell takes it apart."""
    for block in blocks(PAGE):
        for line in block.splitlines():
            if line.startswith(f"{program} "):
                yield shlex.split(line)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The folder in which every `felt` command of the page was given, in its order."""
    monkeypatch.chdir(tmp_path)
    Path("passphrase").write_text("a horse and a stable\n", encoding="utf-8")
    given = list(commands("felt"))
    assert [" ".join(words[3:5]) for words in given] == [
        "init ca",
        "issue-broker broker.floor.example",
        "issue-table asia-1",
        "issue-consumer pit",
        "list",
        "issue-table asia-1",
    ]
    for words in given:
        assert main(words[1:]) == 0, (words, capsys.readouterr().err)
    return tmp_path


def test_the_list_has_all_that_the_page_issues(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["keys", "ca", "list", "--ca", str(made / "ca")]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["authority", "Rivers"],
        ["table", "asia-1"],
        ["broker", "broker.floor.example"],
        ["consumer", "pit"],
    ]


def test_every_openssl_command_takes_what_was_made(made: Path) -> None:
    installed = made / "installed"
    installed.mkdir()
    for file in made.rglob("*.pem"):
        (installed / file.name).write_bytes(file.read_bytes())
    given = list(commands("openssl"))
    assert len(given) == 3
    for words in given:
        done = subprocess.run(words, cwd=installed, capture_output=True, text=True, check=False)  # noqa: S603 - the page's own
        assert done.returncode == 0, done.stderr
    # and not the other way round
    wrong = [word.replace("sslserver", "sslclient") for word in given[-1]]
    assert subprocess.run(wrong, cwd=installed, capture_output=True, check=False).returncode != 0  # noqa: S603 - as above


def test_the_table_s_settings_name_the_files_that_were_installed() -> None:
    [block] = blocks(PAGE, "toml")
    settings = tomllib.loads(block)["broker"]
    files = Tls.model_validate({name: Path(path) for name, path in settings["tls"].items()})
    # `install` puts them there
    assert {path.parent for path in (files.authority, files.certificate, files.key)} == {
        Path("/etc/feltd/tls")
    }
    installing = "\n".join(block for block in blocks(PAGE) if "sudo install" in block)
    for path in (files.authority, files.certificate, files.key):
        assert f"/{path.name} " in f"{installing} "
    assert settings["host"] in PAGE.partition("felt keys ca issue-broker ")[2].partition("\n")[0]


def site_broker(made: Path, tmp_path: Path) -> EmbeddedBroker:
    """A mosquitto with the settings of the page, on a free port, for this machine's name."""
    plain = mosquitto()
    if plain is None:
        pytest.skip("mosquitto is not installed")
    words = ("--ca", str(made / "ca"), "--passphrase-file", str(made / "passphrase"))
    assert main(["keys", "ca", "issue-broker", "localhost", *words]) == 0
    [settings] = [block for block in blocks(PAGE) if block.startswith("listener 8883\n")]
    [own] = [block for block in blocks(PAGE) if block.startswith("user pit\n")]
    [tables] = [block for block in blocks(MQTT_PAGE) if block.startswith("pattern write ")]
    acl = tmp_path / "acl"
    acl.write_text(tables + own, encoding="utf-8")
    acl.chmod(0o700)
    for written, real in (
        ("/etc/mosquitto/tls/authority.pem", made / "ca/authority.pem"),
        ("/etc/mosquitto/tls/broker.floor.example.pem", made / "ca/brokers/localhost.pem"),
        ("/etc/mosquitto/tls/broker.floor.example.key", made / "ca/brokers/localhost.key"),
        ("/etc/mosquitto/acl", acl),
        ("listener 8883", "user root\nlog_dest none\nlistener {port} 127.0.0.1"),
    ):
        assert written in settings
        settings = settings.replace(written, str(real))
    return EmbeddedBroker(Program(plain.name, plain.file, settings, plain.command))


def files_of(made: Path, kind: str, name: str) -> Tls:
    return Tls(
        authority=made / "ca/authority.pem",
        certificate=made / f"ca/{kind}/{name}.pem",
        key=made / f"ca/{kind}/{name}.key",
    )


async def connect(port: int, files: Tls, name: str) -> Connection:
    pair, _ = examined(files, name)
    assert pair is not None
    pair.context.sslsocket_class = tls.Wire
    access = Access(host="localhost", port=port, client_id=name, tls=pair.context)
    return await Connection.open(access, Message("felt/1/asia-1/status", b"{}"), lambda *_: None)


@pytest.mark.long
@pytest.mark.asyncio
async def test_the_broker_s_settings_let_each_say_its_own_and_a_reload_renews_the_broker(
    made: Path, tmp_path: Path
) -> None:
    broker = site_broker(made, tmp_path)
    await broker.start()
    try:
        table = await connect(broker.port, files_of(made, "tables", "asia-1"), "asia-1")
        pit = await connect(broker.port, files_of(made, "consumers", "pit"), "pit")
        assert await table.start(Message(PUBLISHED, b"{}")) != DENIED
        for topic, may in (
            ("felt/1/asia-1/ack/pit", True),
            ("felt/1/floor/status", True),
            (PUBLISHED, False),
            ("felt/1/asia-1/status", False),
            ("felt/1/asia-1/ack/other", False),
        ):
            assert (await pit.start(Message(topic, b"{}")) != DENIED) == may, topic
        ends = table.ends
        await table.close(1.0)
        await pit.close(1.0)
        words = ("--days", "5", "--ca", str(made / "ca"), "--passphrase-file", str(made / "passphrase"))
        assert main(["keys", "ca", "issue-broker", "localhost", "--renew", *words]) == 0
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGHUP)
        # It says nowhere that it has read them.
        async with asyncio.timeout(10.0):
            while ends == table.ends:
                table = await connect(broker.port, files_of(made, "tables", "asia-1"), "asia-1")
                await table.close(1.0)
    finally:
        await broker.stop()


def told(page: str) -> list[str]:
    """The first cells of every table under "What it says"."""
    part = page.partition("## What it says")[2]
    cells = re.findall(r"^\| ([^|]*) \|", part, flags=re.MULTILINE)
    return [cell for cell in cells if cell not in {"the table says", "it says"}]


def test_every_message_of_the_page_is_one_that_is_told() -> None:
    folder = ROOT / "daemon" / "felt_daemon"
    sources = (
        tls.__file__,
        adapter.__file__,
        folder / "config/certificates.py",
        *folder.glob("certificates/*.py"),
    )
    # Texts that go over two lines of a program are one on the page.
    code = "".join(re.sub(r'"\n\s+f?"', "", Path(file).read_text(encoding="utf-8")) for file in sources)
    code = code.replace("\\'", "'").replace("{SERVICE}", "feltd")
    messages = told(PAGE)
    assert len(messages) == 19
    for message in messages:
        # What differs from case to case is elided.
        for part in re.split(r", |\s?…\s?", message):
            assert part in code, part
