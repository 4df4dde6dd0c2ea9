"""The caller's side of the control socket, for `felt` and scripts: one request, one answer, one deadline."""

from __future__ import annotations

import grp
import os
import secrets
import socket
import time
from typing import TYPE_CHECKING

from felt_daemon.control.messages import (
    BUSY,
    LONGEST_LINE,
    Answer,
    Request,
    Second,
    encode_request,
    parse_answer,
)
from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events.person import Role

# An answer holds at most the table's whole state.
LONGEST_ANSWER = 4 * 1024 * 1024
_CHUNK = 64 * 1024


class NotReachable(FeltError):  # noqa: N818 - the name says what happened
    """The request was not given: nobody listens there, or this user may not speak to it."""


class AnswerUnknown(FeltError):  # noqa: N818 - the name says what happened
    """The request was sent and no answer came: it may have been carried out or not."""


def call(  # noqa: PLR0913 - the parts of a request, the last six by keyword
    path: str | os.PathLike[str],
    command: str,
    args: Mapping[str, object] | None = None,
    *,
    role: Role | None = None,
    person: str | None = None,
    pin: str | None = None,
    second: Second | None = None,
    table: str | None = None,
    timeout_s: float = 10.0,
) -> Answer:
    """The daemon's answer to a command or a query.

    Raises `NotReachable` where the request was surely not given, `AnswerUnknown` where that cannot be told,
    and `ValueError` for a request that is longer than a line may be.
    """
    request = Request(secrets.token_hex(8), command, args or {}, role, person, pin, second, table)
    line = encode_request(request)
    if len(line) > LONGEST_LINE:
        raise ValueError(f"the request has {len(line)} bytes; a line has at most {LONGEST_LINE}")
    deadline = time.monotonic() + timeout_s
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout_s)
        _connect(connection, os.fspath(path), timeout_s)
        try:
            _send(connection, line)
            answer = parse_answer(_received(connection, deadline))
        except TimeoutError:
            raise AnswerUnknown(_unknown(f"feltd did not answer within {timeout_s:g} s")) from None
        except OSError as error:
            raise AnswerUnknown(_unknown(f"the connection to feltd broke: {error.strerror}")) from error
        except ValueError as error:
            raise AnswerUnknown(_unknown(f"what answered is no feltd: {error}")) from error
    if answer.id is None and answer.code == BUSY:
        raise NotReachable(f"feltd has no room for another caller: {answer.why}")
    if answer.id != request.id:
        raise AnswerUnknown(_unknown(f"feltd answered something else: {answer.why}"))
    return answer


def _connect(connection: socket.socket, path: str, timeout_s: float) -> None:
    try:
        connection.connect(path)
    except FileNotFoundError:
        raise NotReachable(f"feltd is not running: no socket at {path}") from None
    except ConnectionRefusedError:
        raise NotReachable(
            f"feltd is not running: the socket at {path} is left from an earlier run"
        ) from None
    except PermissionError:
        raise NotReachable(f"permission denied at {path}: {_needed(path)}") from None
    except (BlockingIOError, TimeoutError):
        raise NotReachable(f"feltd does not take callers at {path} (waited {timeout_s:g} s)") from None
    except OSError as error:
        raise NotReachable(f"feltd cannot be reached at {path}: {error.strerror or error}") from error


def _needed(path: str) -> str:
    """What a user lacks who may not open the socket."""
    try:
        gid = os.stat(path).st_gid  # noqa: PTH116 - a plain call, and its error tells enough
    except OSError:
        return "your user may not look into its folder"
    try:
        return f"your user needs group {grp.getgrgid(gid).gr_name}"
    except KeyError:
        return f"your user needs group {gid}"


def _send(connection: socket.socket, line: bytes) -> None:
    # A daemon without room answers and hangs up before it reads; that answer is still there to be read.
    try:
        connection.sendall(line, socket.MSG_NOSIGNAL)
    except BrokenPipeError:
        return


def _received(connection: socket.socket, deadline: float) -> bytes:
    """The first line; raises `ValueError` where the stream ends or grows without one."""
    held = bytearray()
    while b"\n" not in held:
        connection.settimeout(max(deadline - time.monotonic(), 0.001))
        data = connection.recv(_CHUNK)
        if not data:
            raise ValueError("it hung up without an answer")
        held += data
        if len(held) > LONGEST_ANSWER:
            raise ValueError(f"an answer of more than {LONGEST_ANSWER} bytes")
    return bytes(held.partition(b"\n")[0])


def _unknown(what: str) -> str:
    return f"{what}; the command may or may not have been carried out: look before you repeat it"
