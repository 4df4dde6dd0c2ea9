"""Signed commands of a floor system. Needs the extra `felt-protocols[signed]`."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from felt_protocols.signed.claims import Wish
from felt_protocols.signed.making import key_from_pem, sign
from felt_protocols.topics import checked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.events.person import Role


class Signer:
    """An entry of the table's register of people and systems, and its private key.

    `client` is the entry's id: answers come on the topic `reply/{client}`. `pem` is the file that `felt keys
    make` wrote. `role` is the one to act in, where the entry has several. Raises ValueError for an id that
    is none and for a key of another sort.
    """

    def __init__(self, client: str, pem: bytes, role: Role | None = None) -> None:
        self.client = checked(client)
        self._key = key_from_pem(pem)
        self._role: Role | None = role

    def token(self, table: str, start: str, command: str, args: Mapping[str, Any]) -> tuple[str, str]:
        """A request's name, never used before, and the token that makes it; raises ValueError for bad args.

        `start` is the run of the table's daemon that it is for.
        """
        jti = str(uuid.uuid4())
        wish = Wish(jti=jti, table=table, start=start, command=command, args=args)
        return jti, sign(self._key, wish, role=self._role)
