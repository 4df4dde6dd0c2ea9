"""The program `felt-sim`: simulated devices, for trials and demonstrations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from felt_simulators.cli import demo, floor, host, play, run

if TYPE_CHECKING:
    from collections.abc import Sequence

# Each module registers one command and its function, which takes the arguments and gives the exit code.
COMMANDS = (run, host, play, demo, floor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that was given; the exit code is 0 when it went well."""
    parser = argparse.ArgumentParser(prog="felt-sim", description="Simulated devices of a card table.")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.register(subparsers)
    chosen = parser.parse_args(arguments)
    return int(chosen.command(chosen))
