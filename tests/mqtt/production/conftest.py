"""The page's own settings on real brokers: a site with certificates, files as they are printed, clients."""

from __future__ import annotations

import re
import ssl
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiomqtt
import pytest

from felt_daemon.cli import main
from felt_daemon.publisher.broker import EmbeddedBroker, Program, mosquitto

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOST = "localhost"
PAGE = (Path(__file__).parents[3] / "docs" / "floor.md").read_text(encoding="utf-8")
NAMES = (
    ("issue-broker", HOST),
    ("issue-table", "asia-1"),
    ("issue-table", "asia-2"),
    ("issue-consumer", "pit"),
    ("issue-consumer", "warehouse"),
    ("issue-consumer", "hall-7"),
    ("issue-consumer", "stranger"),
    ("issue-consumer", "screen"),
)


def printed(title: str) -> str:
    """The file of the page whose first line is this comment."""
    [block] = re.findall(rf"^```\n(# {re.escape(title)}\n.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(block)


def replaced(text: str, words: dict[str, str]) -> str:
    """The text with other paths; each of these must be in it."""
    for written, real in words.items():
        assert written in text, written
        text = text.replace(written, real)
    return text


class Site:
    """Certificates of one authority, and the settings of the page with their paths."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ca = folder / "ca"
        assert main(["keys", "ca", "init", str(self._ca), "--name", "A house"]) == 0
        for kind, name in NAMES:
            assert main(["keys", "ca", kind, name, "--ca", str(self._ca)]) == 0

    @property
    def authority(self) -> str:
        """The authority's certificate."""
        return str(self._ca / "authority.pem")

    def pair(self, name: str) -> tuple[str, str]:
        """Certificate and key of this name."""
        [certificate] = self._ca.glob(f"*/{name}.pem")
        return str(certificate), str(certificate.with_suffix(".key"))

    def production(self, more_acl: str = "") -> str:
        """felt.conf as it is printed, for a free port."""
        acl = self.folder / "felt.acl"
        acl.write_text(printed("/etc/mosquitto/felt.acl") + more_acl, encoding="utf-8")
        acl.chmod(0o700)
        store = self.folder / "store"
        store.mkdir(exist_ok=True)
        certificate, key = self.pair(HOST)
        words = {
            "listener 8883": "user root\nlog_dest none\nlistener {port} 127.0.0.1",
            "/etc/mosquitto/tls/authority.pem": self.authority,
            "/etc/mosquitto/tls/broker.floor.example.pem": certificate,
            "/etc/mosquitto/tls/broker.floor.example.key": key,
            "/etc/mosquitto/felt.acl": str(acl),
            "/var/lib/mosquitto/": f"{store}/",
        }
        return replaced(printed("/etc/mosquitto/conf.d/felt.conf"), words)

    def bridge(self, far_port: int) -> str:
        """bridge.conf as it is printed, to a broker on this machine."""
        certificate, key = self.pair("hall-7")
        words = {
            "cluster.floor.example:8883": f"{HOST}:{far_port}",
            "/etc/mosquitto/tls/authority.pem": self.authority,
            "/etc/mosquitto/tls/hall-7.pem": certificate,
            "/etc/mosquitto/tls/hall-7.key": key,
        }
        return replaced(printed("/etc/mosquitto/conf.d/bridge.conf"), words)

    def context(self, name: str | None) -> ssl.SSLContext:
        """A client's TLS, with this name's certificate or without one."""
        context = ssl.create_default_context(cafile=self.authority)
        if name is not None:
            context.load_cert_chain(*self.pair(name))
        return context

    def client(self, port: int, name: str | None, client_id: str | None = None) -> aiomqtt.Client:
        """A client with this name's certificate, which calls itself like that or otherwise."""
        return aiomqtt.Client(
            HOST,
            port,
            identifier=client_id or name,
            tls_context=self.context(name),
            protocol=aiomqtt.ProtocolVersion.V5,
        )

    @asynccontextmanager
    async def running(self, settings: str) -> AsyncIterator[EmbeddedBroker]:
        """A mosquitto with these settings, until the block ends."""
        plain = mosquitto()
        assert plain is not None
        broker = EmbeddedBroker(Program(plain.name, plain.file, settings, plain.command))
        await broker.start()
        try:
            yield broker
        finally:
            await broker.stop()


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Site:
    """A site with an authority of its own."""
    if mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    one = Site(tmp_path)
    capsys.readouterr()
    return one


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> Site:
    """Another house, with the same names."""
    one = Site(tmp_path_factory.mktemp("elsewhere"))
    capsys.readouterr()
    return one
