"""The demonstration: rounds with one jam, one wrong count and one misdeal, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_simulators.chance import seeded
from felt_simulators.faults import SHOE, SHUFFLER, Fault
from felt_simulators.scenario import Action, During, Scenario, Step

if TYPE_CHECKING:
    from pathlib import Path

    from felt_simulators.felt import Plan
    from felt_simulators.overhearing import Overhearing
    from felt_simulators.play import Outcome

LEAST_ROUNDS = 5


def scenario(plan: Plan, config: Path, rounds: int, seed: int) -> Scenario:
    """Rounds with a jam, a wrong count and a misdeal in three of them, which the seed chooses."""
    shoe, shuffler = plan.only(SHOE), plan.only(SHUFFLER)
    rng = seeded(seed)
    jam, count, misdeal = rng.sample(range(2, rounds), 3)
    stacks = [f"stack-{number}" for number in range(2, 7)]
    during = (
        During(jam, rng.choice(stacks), Action("fault", device=shoe, fault=Fault("jam"))),
        During(count, "playing", Action("fault", device=shuffler, fault=Fault("lost-card", 1))),
        During(misdeal, rng.choice(stacks), Action("fault", device=shoe, fault=Fault("stack-size", 6))),
    )
    return Scenario(
        path=config,
        name="demo",
        about="",
        config=config,
        seed=seed,
        steps=(Step(rounds, during),),
        expectations=(),
        differs=frozenset(),
    )


def document(outcome: Outcome, floor: Overhearing) -> dict[str, Any]:
    """What came of it, as one JSON document."""
    found = outcome.document()
    return {
        "rounds": outcome.rounds,
        "rulings": outcome.rulings,
        "events_published": outcome.rows,
        "events_received": floor.received,
        "events_doubled": floor.doubles,
        "events_unproved": floor.unproved,
        "agrees_with_truth": found["agrees_with_truth"],
        "checks": found["checks"],
        "seed": outcome.seed,
        "simulated_seconds": found["simulated_seconds"],
    }
