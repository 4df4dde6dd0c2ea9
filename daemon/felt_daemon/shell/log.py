"""Which table a line of the log is about, where a process has several."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import Final

from typing_extensions import override

# The table whose work goes on; "" where there is one alone, or the line is about the process.
TABLE: Final[ContextVar[str]] = ContextVar("TABLE", default="")
FORMAT: Final = "felt: %(table)s%(message)s"


class OfTable(logging.Filter):
    """Gives each record its table as `FORMAT` shows it."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        table = TABLE.get()
        record.table = f"{table}: " if table else ""
        return True


def log_to_stderr() -> None:
    """Write warnings and what is worse to stderr, each with its table."""
    handler = logging.StreamHandler()
    handler.addFilter(OfTable())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format=FORMAT)
