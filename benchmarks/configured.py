"""The configuration of a table that is measured; its files and the ends of its devices are in one folder.

Where no device is played the name of its end begins with `no-`.
"""

from __future__ import annotations

_HEAD = """[table]
id = "bench"
name = "Benchmark"
game = "{game}"
time_zone = "America/New_York"
gaming_day_start = 06:00:00
[rules_submission]
reference = "none"
date = 2026-01-01
[journal]
directory = "{folder}"
[broker]
mode = "embedded"
[control]
socket = "{folder}/control"
"""
# The felt of each game.
_FELT = {
    "659a": """[elections]
decks = 2
deal = "automated-shoe"
start = "shaker"
[devices.shoe-1]
family = "shoe"
port = "{folder}/shoe"
[devices.shuffler-1]
family = "shuffler"
port = "{folder}/no-shuffler"
[devices.shaker-1]
family = "shaker"
port = "{folder}/no-shaker"
[decks.red]
back = "red"
[decks.blue]
back = "blue"
""",
    "672a": """[elections]
decks = 8
batches = 1
shuffle = "continuous-shuffler"
deal = "continuous-shuffler"
[devices.shoe-1]
family = "continuous-shuffler"
port = "{folder}/shoe"
[devices.reader-1]
family = "hole-card-reader"
port = "{folder}/no-reader"
[decks.red]
back = "red"
""",
}


def configuration_of(game: str, folder: object) -> str:
    """The text of its file, for a table of this chapter."""
    return (_HEAD + _FELT[game]).format(game=game, folder=folder)
