"""Where simulated chance comes from: a seed, so that every run can be repeated."""

from __future__ import annotations

import random


def seeded(seed: int) -> random.Random:
    """Random numbers that are the same for the same seed."""
    return random.Random(seed)  # noqa: S311 - simulated cards are no secret, and must be repeatable
