"""Roles follow from what the kernel says of the caller, by user and by every group, and from nothing else."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import TYPE_CHECKING

import pytest

from felt_daemon.config import Grant
from felt_daemon.control import RoleBook
from felt_daemon.control.roles import Peer, account_name, peer_of

if TYPE_CHECKING:
    from collections.abc import Generator

BOOK = RoleBook(
    users={"dealer": frozenset({41_001}), "floor": frozenset(), "tech": frozenset({0})},
    groups={"dealer": frozenset(), "floor": frozenset({42_001, 42_002}), "tech": frozenset()},
)


@contextlib.contextmanager
def _connected_as(uid: int, gid: int, groups: list[int]) -> Generator[socket.socket]:
    """The accepted side of a connection that a process with this identity opened."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind("")  # Linux chooses a name that is no file
        listener.listen(1)
        child = os.fork()
        if child == 0:
            os.setgroups(groups)
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
            caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            caller.connect(listener.getsockname())
            caller.recv(1)
            os._exit(0)
        connection, _ = listener.accept()
        with connection:
            yield connection
        os.waitpid(child, 0)


root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")


@root
def test_a_user_has_the_roles_of_its_name() -> None:
    with _connected_as(41_001, 43_000, []) as connection:
        assert BOOK.caller(peer_of(connection)).roles == {"dealer"}


@root
def test_a_user_has_the_roles_of_every_group_it_is_in() -> None:
    with _connected_as(41_009, 43_000, [42_009, 42_002]) as connection:
        peer = peer_of(connection)
        assert (peer.uid, peer.gid) == (41_009, 43_000)
        assert peer.groups == {43_000, 42_009, 42_002}
        assert BOOK.caller(peer).roles == {"floor"}
    with _connected_as(41_009, 42_001, []) as connection:
        assert BOOK.caller(peer_of(connection)).roles == {"floor"}


@root
def test_a_user_without_a_grant_has_no_role() -> None:
    with _connected_as(41_009, 43_000, [43_001]) as connection:
        assert BOOK.caller(peer_of(connection)).roles == frozenset()


@root
def test_a_user_in_more_groups_than_fit_counts_by_its_main_group_and_has_no_role_too_many() -> None:
    many = list(range(42_001, 42_401))
    with _connected_as(41_009, 43_000, many) as connection:
        peer = peer_of(connection)
        assert peer.groups == {43_000}
        assert BOOK.caller(peer).roles == frozenset()


def test_the_kernel_tells_this_process_and_its_groups() -> None:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with here, there:
        peer = peer_of(here)
    assert (peer.pid, peer.uid, peer.gid) == (os.getpid(), os.getuid(), os.getgid())
    assert peer.groups == {os.getgid(), *os.getgroups()}


def test_root_has_no_role_unless_it_is_given_one() -> None:
    nobody = RoleBook.resolved({"floor": Grant(users=("nobody",))})
    assert nobody.caller(Peer(1, 0, frozenset({0}), 0)).roles == frozenset()
    given = RoleBook.resolved({"floor": Grant(groups=("root",))})
    assert given.caller(Peer(1, 0, frozenset({0}), 0)).roles == {"floor"}


def test_an_account_is_called_by_its_name_and_by_its_number_where_it_has_none() -> None:
    assert account_name(0) == "root"
    assert account_name(41_009) == "uid 41009"


def test_accounts_that_the_machine_does_not_have_are_listed_and_give_nothing() -> None:
    book = RoleBook.resolved({"floor": Grant(users=("root", "nobody-at-all"), groups=("no-such-group",))})
    assert book.unknown == ("floor: no user nobody-at-all", "floor: no group no-such-group")
    assert book.users == {"floor": frozenset({0})}
    assert book.groups == {"floor": frozenset()}
