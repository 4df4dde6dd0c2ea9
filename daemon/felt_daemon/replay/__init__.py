"""Looking back: the facts of a journal decided again, and why a row says what it says."""

from felt_daemon.replay.laws import Laws, NoLaw
from felt_daemon.replay.past import Met, walk
from felt_daemon.replay.replaying import Report, replay

__all__ = ["Laws", "Met", "NoLaw", "Report", "replay", "walk"]
