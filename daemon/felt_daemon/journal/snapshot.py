"""A state that is kept beside the rows it was folded from, so that a start need not fold them all again.

It is no truth of its own: whoever finds anything wrong with it folds the rows instead.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from felt_daemon.journal.chain import canonical

# Of so many rows the last snapshot stays, so that a later look into the past begins near what it looks for.
PART_ROWS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of a stream after its row `seq`, whose `hash` the chain has.

    `software`, `pack` and `setup` are digests of what made the state out of the rows, in hex. `digest` binds
    all of it together.
    """

    stream: str
    seq: int
    hash: bytes
    software: str
    pack: str
    setup: str
    state: str
    digest: bytes = b""

    def digest_due(self) -> bytes:
        """Return SHA-256 of the canonical JSON of everything but the state, and of SHA-256 of the state."""
        about = {
            "stream": self.stream,
            "seq": self.seq,
            "hash": self.hash.hex(),
            "software": self.software,
            "pack": self.pack,
            "setup": self.setup,
        }
        state = hashlib.sha256(self.state.encode("utf-8", "surrogateescape")).digest()
        return hashlib.sha256(canonical(about) + state).digest()
