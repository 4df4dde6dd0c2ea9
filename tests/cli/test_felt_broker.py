"""`felt broker`: a broker in the foreground, which says where it is and ends when it is told to."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import pytest

from felt_daemon.cli import exits
from felt_daemon.publisher import broker as brokers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FELT = "import sys; from felt_daemon.cli import main; sys.exit(main())"
DEADLINE_S = 15.0
PROGRAMS = [found.name for found in (brokers.mosquitto(), brokers.iotcore()) if found is not None]


@contextmanager
def felt_broker(*words: str) -> Iterator[subprocess.Popen[str]]:
    """`felt broker` with these words as a process."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", FELT, "broker", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line_of(stream: IO[str] | None) -> str:
    """The next line of a pipe."""
    assert stream is not None
    ready, _, _ = select.select([stream], [], [], DEADLINE_S)
    assert ready
    return stream.readline()


def speaks_mqtt(port: int) -> bool:
    """Whether somebody takes a CONNECT of MQTT 5 at this port and says yes."""
    connect = bytes.fromhex("101000044d5154540502000a00") + b"\x00\x03abc"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE_S) as link:
            link.sendall(connect)
            answer = link.recv(4)
    except ConnectionError:
        return False
    # A CONNACK, without a session, with success. Source: MQTT 5.0, 3.2.
    return len(answer) == 4 and (answer[0], answer[2], answer[3]) == (0x20, 0, 0)


def until(condition: Callable[[], bool]) -> None:
    """Ask until something outside of this process is so."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end
        select.select([], [], [], 0.02)


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_says_where_it_is_in_one_document_and_ends_with_its_broker(program: str) -> None:
    with felt_broker("--program", program, "--json") as process:
        told = json.loads(line_of(process.stdout))
        assert told.keys() == {"program", "address", "host", "port", "pid"}
        assert told["program"] == program
        assert told["address"] == f"{told['host']}:{told['port']}" == f"127.0.0.1:{told['port']}"
        assert speaks_mqtt(told["port"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == exits.OK
        assert not speaks_mqtt(told["port"])
        with pytest.raises(ProcessLookupError):
            os.kill(told["pid"], 0)


def test_a_broker_that_dies_is_started_again_at_the_same_address() -> None:
    with felt_broker("--json") as process:
        told = json.loads(line_of(process.stdout))
        os.kill(told["pid"], signal.SIGKILL)
        said = line_of(process.stderr)
        assert said.startswith(f"felt: the broker {told['program']} on {told['address']} ended")
        assert said.endswith("; it is started again\n")
        until(lambda: speaks_mqtt(told["port"]))
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE_S) == exits.OK


def test_a_port_that_somebody_has_is_told_before_anything_is_started() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with felt_broker("--port", str(port)) as process:
            assert process.wait(DEADLINE_S) == exits.REFUSED
            assert line_of(process.stderr) == (
                f"felt: no broker can be started on 127.0.0.1:{port}: another program listens there\n"
            )


def test_a_broker_that_is_not_installed_says_what_to_install(
    ask_felt: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(brokers, "_DAEMON_FOLDERS", ())
    said = "felt: mosquitto is not installed: install Debian's package 'mosquitto'\n"
    assert ask_felt("broker", "--program", "mosquitto") == (exits.REFUSED, "", said)


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1", "1e3", "٣"])
def test_what_is_no_port_is_refused(port: str, ask_felt: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = ask_felt("broker", "--port", port)
    assert (code, out) == (exits.USAGE, "")
    assert "is no port: 1 to 65535" in err or "expected one argument" in err


def test_its_help_shows_how(ask_felt: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _err = ask_felt("broker", "--help")
    assert code == exits.OK
    assert "felt broker --port 1883" in out
    assert f"{exits.REFUSED} no such broker here" in out
