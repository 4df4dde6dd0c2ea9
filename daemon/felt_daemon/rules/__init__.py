"""Rule packs: the regulations as data, checked when they are loaded."""

from felt_daemon.rules.library import chapters, load
from felt_daemon.rules.pack import Pack, Rule

__all__ = ["Pack", "Rule", "chapters", "load"]
