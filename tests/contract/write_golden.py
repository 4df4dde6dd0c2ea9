"""Write golden samples that are missing, and never over one: `python tests/contract/write_golden.py`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

FOLDER = Path(__file__).with_name("golden")


def main() -> None:
    """Write a file for every event that has none."""
    sys.path.insert(0, str(FOLDER.parents[2]))
    samples = importlib.import_module("tests.contract.samples")
    for name, (event, context) in samples.SAMPLES.items():
        file = FOLDER / f"{name}.json"
        if not file.exists():
            file.write_bytes(samples.published(event, context) + b"\n")
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
