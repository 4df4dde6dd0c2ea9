"""The fold of a table's rows, begun from a snapshot where there is one that can be trusted."""

from felt_daemon.folding.begin import Marks, begin, lies, marks_of, snapshot_of
from felt_daemon.folding.text import Unreadable, read, written

__all__ = ["Marks", "Unreadable", "begin", "lies", "marks_of", "read", "snapshot_of", "written"]
