"""The control socket: the same commands as everywhere, one JSON document on each line, roles by credential.

A server is wired as `ControlServer(Listener.opened(path), {id: Served(handle, book)})`, with
`RoleBook.resolved(config.control.roles)` as each table's book.
"""

from felt_daemon.control.address import Listener, SocketTaken
from felt_daemon.control.client import AnswerUnknown, NotReachable, call
from felt_daemon.control.messages import (
    BUSY,
    FORBIDDEN,
    MALFORMED,
    REFUSED,
    Answer,
    Caller,
    Request,
    Second,
    refusal,
)
from felt_daemon.control.roles import RoleBook, account_name
from felt_daemon.control.server import ControlServer, Handler, Limits, Served

__all__ = [
    "BUSY",
    "FORBIDDEN",
    "MALFORMED",
    "REFUSED",
    "Answer",
    "AnswerUnknown",
    "Caller",
    "ControlServer",
    "Handler",
    "Limits",
    "Listener",
    "NotReachable",
    "Request",
    "RoleBook",
    "Second",
    "Served",
    "SocketTaken",
    "account_name",
    "call",
    "refusal",
]
