"""The configuration: TOML into frozen models, the whole file checked before any port opens.

`load(path)` gives a `Config` or raises `ConfigError` with every mistake that the file has; `load_all(paths)`
those of the tables of one process, which are held against each other as well.
"""

from felt_daemon.config.config import Config, Effective
from felt_daemon.config.load import load, load_all, parse
from felt_daemon.config.model import (
    Control,
    Deck,
    Device,
    EmbeddedBroker,
    Escalation,
    ExternalBroker,
    Grant,
    Journal,
    Panel,
    People,
    RulesSubmission,
    Table,
)
from felt_daemon.config.problems import ConfigError, Problem, UnreadableConfig

__all__ = [
    "Config",
    "ConfigError",
    "Control",
    "Deck",
    "Device",
    "Effective",
    "EmbeddedBroker",
    "Escalation",
    "ExternalBroker",
    "Grant",
    "Journal",
    "Panel",
    "People",
    "Problem",
    "RulesSubmission",
    "Table",
    "UnreadableConfig",
    "load",
    "load_all",
    "parse",
]
