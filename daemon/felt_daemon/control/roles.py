"""From the kernel's word for who calls to the roles that the configuration gives."""

from __future__ import annotations

import functools
import grp
import pwd
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from felt_daemon.control.messages import Caller

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.config import Grant
    from felt_protocols.events.person import Role

_UCRED = struct.Struct("=iII")
# Linux 4.13, asm-generic/socket.h; Python has no name for it. Gives the peer's supplementary groups.
SO_PEERGROUPS: Final = 59
# `getsockopt` of Python gives at most this many bytes; a user in more than 256 groups counts by the main one.
_LONGEST_OPTION = 1024


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end when it connected, as the kernel vouches for it."""

    pid: int
    uid: int
    groups: frozenset[int]
    gid: int


def peer_of(connection: socket.socket) -> Peer:
    """Who is at the other end of a Unix socket: SO_PEERCRED, which the peer cannot forge."""
    pid, uid, gid = _UCRED.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))
    try:
        listed = connection.getsockopt(socket.SOL_SOCKET, SO_PEERGROUPS, _LONGEST_OPTION)
    except OSError:
        listed = b""  # an old kernel, or more groups than fit: fewer roles, never more
    groups = struct.unpack(f"={len(listed) // 4}I", listed)
    return Peer(pid, uid, frozenset((*groups, gid)), gid)


@dataclass(frozen=True, slots=True)
class RoleBook:
    """Which accounts of this machine have which role, by number: nothing is looked up later."""

    users: Mapping[Role, frozenset[int]]
    groups: Mapping[Role, frozenset[int]]
    # Accounts of the configuration that this machine does not have; to be shown at start.
    unknown: tuple[str, ...] = ()

    @classmethod
    def resolved(cls, grants: Mapping[Role, Grant]) -> RoleBook:
        """The book of a configuration's grants, looked up once in the accounts of this machine."""
        users: dict[Role, frozenset[int]] = {}
        groups: dict[Role, frozenset[int]] = {}
        unknown: list[str] = []
        for role, grant in grants.items():
            uids = {name: _uid(name) for name in grant.users}
            gids = {name: _gid(name) for name in grant.groups}
            users[role] = frozenset(uid for uid in uids.values() if uid is not None)
            groups[role] = frozenset(gid for gid in gids.values() if gid is not None)
            unknown += [f"{role}: no user {name}" for name, uid in uids.items() if uid is None]
            unknown += [f"{role}: no group {name}" for name, gid in gids.items() if gid is None]
        return cls(users, groups, tuple(unknown))

    def caller(self, peer: Peer) -> Caller:
        """The peer with the roles of its user and of its groups."""
        roles: frozenset[Role] = frozenset(
            role for role in self.users if peer.uid in self.users[role] or peer.groups & self.groups[role]
        )
        return Caller(peer.pid, peer.uid, peer.gid, roles)


@functools.cache
def account_name(uid: int) -> str:
    """The user name of an account, looked up once; `uid 1000` where this machine has none for it."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def _uid(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


def _gid(name: str) -> int | None:
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        return None
