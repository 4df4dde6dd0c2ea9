"""The caller's side: what went wrong is said in words, and "not given" is never confused with "unknown"."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.control import AnswerUnknown, NotReachable, call

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

LOOK_FIRST = "; the command may or may not have been carried out: look before you repeat it"


@contextmanager
def _answering(path: Path, answer: bytes | None) -> Generator[None]:
    """Something that takes one caller, reads its line and sends `answer`; with None it says nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen(1)
        done = threading.Event()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                if answer is None:
                    done.wait(10)
                else:
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        done.set()
        thread.join(10)


def test_a_daemon_that_does_not_run_is_said_so(path: Path) -> None:
    with pytest.raises(NotReachable, match=f"feltd is not running: no socket at {path}"):
        call(path, "ping")


def test_a_socket_left_by_a_dead_daemon_is_said_so(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    with pytest.raises(NotReachable, match=f"feltd is not running: the socket at {path} is left from an"):
        call(path, "ping")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("gid", "group"), [(1, "daemon"), (42_001, "42001")])
def test_a_user_who_may_not_open_the_socket_is_told_which_group_it_needs(gid: int, group: str) -> None:
    path = f"/tmp/felt-test-{os.getpid()}"  # noqa: S108 - a place that the other user can reach
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(1)
        os.chown(path, 0, gid)
        os.chmod(path, 0o660)  # noqa: PTH101 - beside a plain bind
        before = os.geteuid()
        try:
            os.seteuid(41_009)
            with pytest.raises(NotReachable) as caught:
                call(path, "ping")
        finally:
            os.seteuid(before)
            os.unlink(path)  # noqa: PTH108 - beside a plain bind
    assert str(caught.value) == f"permission denied at {path}: your user needs group {group}"


def test_a_path_that_is_no_socket_or_too_long_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NotReachable, match="feltd"):
        call(tmp_path / "file", "ping")
    with pytest.raises(NotReachable, match=r"cannot be reached .*: AF_UNIX path too long"):
        call("/" + "a" * 200, "ping")


def test_a_daemon_that_does_not_answer_in_time_leaves_the_command_unknown(path: Path) -> None:
    with _answering(path, None), pytest.raises(AnswerUnknown) as caught:
        call(path, "count", timeout_s=0.1)
    assert str(caught.value) == "feltd did not answer within 0.1 s" + LOOK_FIRST


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "what answered is no feltd: it hung up without an answer"),
        (b'{"id":', "what answered is no feltd: it hung up without an answer"),
        (b"HTTP/1.1 400\n", "what answered is no feltd: Expecting value: line 1 column 1 (char 0)"),
        (b'{"id":"x","ok":true}\n', "feltd answered something else: "),
    ],
)
def test_an_answer_that_is_none_leaves_the_command_unknown(path: Path, answer: bytes, why: str) -> None:
    with _answering(path, answer), pytest.raises(AnswerUnknown) as caught:
        call(path, "count")
    assert str(caught.value) == why + LOOK_FIRST


def test_a_daemon_without_room_has_surely_not_taken_the_command(path: Path) -> None:
    busy = b'{"id":null,"ok":false,"code":"busy","why":"too many callers; try again"}\n'
    with (
        _answering(path, busy),
        pytest.raises(NotReachable, match="feltd has no room for another caller: too"),
    ):
        call(path, "count")


def test_a_request_longer_than_a_line_is_not_sent(path: Path) -> None:
    with pytest.raises(ValueError, match="a line has at most 65536"):
        call(path, "report", {"note": "x" * 70_000})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["acknowledge", "7", "--person", "\udcff"], "surrogates not allowed"),
        (["report", "x", "--note", "a" * 70_000], "a line has at most 65536"),
    ],
)
def test_what_makes_no_request_is_said_and_not_asked(
    words: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--control", str(tmp_path / "control")]) == exits.USAGE
    said = capsys.readouterr().err
    assert said.startswith("felt: not asked: ")
    assert why in said
