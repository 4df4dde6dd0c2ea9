"""Plays a scenario: sets up a house, lets people do what the steps say, and judges the journal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from felt_simulators.agreement import checks
from felt_simulators.crew import Crew
from felt_simulators.house import House
from felt_simulators.journal import read_rows
from felt_simulators.screen import Declined
from felt_simulators.stage import Stage
from felt_simulators.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from felt_simulators.check import Check
    from felt_simulators.journal import JournalRow, JournalRows
    from felt_simulators.scenario import During, Expectation, Scenario, Step
    from felt_simulators.view import View


def _nothing(*_: object) -> None:
    return


@dataclass(frozen=True, slots=True)
class Met:
    """An expectation and how often it was found."""

    expectation: Expectation
    found: int

    @property
    def met(self) -> bool:
        """Whether the journal holds what was expected."""
        if self.expectation.absent:
            return self.found == 0
        return self.found == self.expectation.times if self.expectation.times else self.found > 0


@dataclass(slots=True)
class Outcome:
    """What came of a scenario."""

    scenario: Scenario
    seed: int
    rounds: int = 0
    simulated_s: float = 0.0
    rows: int = 0
    rulings: dict[str, int] = field(default_factory=dict[str, int])
    expectations: list[Met] = field(default_factory=list[Met])
    checks: list[Check] = field(default_factory=list["Check"])

    @property
    def disagreements(self) -> list[Check]:
        """Checks in which the daemon's record is not the truth, and the scenario does not say so."""
        return [one for one in self.checks if not one.agrees and one.name not in self.scenario.differs]

    @property
    def as_expected(self) -> bool:
        """Whether all is as the scenario says."""
        return all(one.met for one in self.expectations) and not self.disagreements

    def document(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {
            "scenario": self.scenario.name,
            "file": str(self.scenario.path),
            "seed": self.seed,
            "as_expected": self.as_expected,
            "rounds": self.rounds,
            "simulated_seconds": round(self.simulated_s),
            "rows": self.rows,
            "rulings": self.rulings,
            "expectations": [
                {"expected": str(one.expectation), "found": one.found, "met": one.met}
                for one in self.expectations
            ],
            "agrees_with_truth": not self.disagreements,
            "checks": [
                {"name": one.name, "agrees": one.agrees}
                | ({} if one.agrees else {"told": one.told, "true": one.true})
                for one in self.checks
            ],
        }


class Player:
    """One scenario in one house. `tell` hears the story line by line.

    `begun` is called when the daemon is up, `done` with the last view before it is stopped; simulated time
    stands still meanwhile.
    """

    def __init__(
        self,
        scenario: Scenario,
        house: House,
        tell: Callable[[str], None],
        *,
        begun: Callable[[], None] = _nothing,
        done: Callable[[View], None] = _nothing,
    ) -> None:
        self._scenario = scenario
        self._house = house
        self._host = house.host
        self._crew = Crew(
            house.plan,
            house.machines,
            house.host,
            house.control,
            moment=self._moment,
            preshuffled=scenario.preshuffled,
            cover_after=scenario.cover_after,
            first_cards=scenario.first_cards,
        )
        self._crew.dealer.seats = scenario.seats or self._crew.dealer.seats
        zone = str(house.plan.document["table"].get("time_zone", ""))
        self._story = Story(house.host, zone, tell, self._crew.game.phrases)
        self._crew.screen.watch(self._story)
        self._stage = Stage(house, self._crew, self._story.say)
        # The simulated time at which each step began, and the end of the last.
        self._times_ns: list[int] = []
        self._waiting: list[During] = []
        self._round = 0
        self._last: View | None = None
        self._begun, self._done = begun, done

    def play(self, seed: int) -> Outcome:
        """Play all steps. Raises `RunFailed` and `Stuck`."""
        began_s = self._host.now_ns / 1e9
        self._host.run(self._play)
        rows = read_rows(self._house.journal, self._house.plan.table)
        outcome = Outcome(self._scenario, seed)
        outcome.rounds = len(self._crew.record.rounds)
        outcome.simulated_s = self._host.now_ns / 1e9 - began_s
        outcome.rows = len(rows.all)
        outcome.rulings = rulings(rows)
        outcome.expectations = [Met(one, self._found(one, rows)) for one in self._scenario.expectations]
        if self._last is not None:
            outcome.checks = checks(self._crew, rows, self._last)
        return outcome

    async def _play(self) -> None:
        self._host.start()
        await self._host.settled()
        self._begun()
        async with self._crew.patrolled():
            if self._scenario.opens:
                await self._crew.tasks.do("open")
            for number, step in enumerate(self._scenario.steps, 1):
                await self._do(number, step)
            self._times_ns.append(self._host.now_ns)
            self._last = await self._crew.screen.look()
            await self._close()
        self._done(await self._crew.screen.look())
        await self._host.stop()

    async def _close(self) -> None:
        """Close the table, if the round that has begun lets it be closed."""
        try:
            await self._crew.floor.tell("close-table")
        except Declined as refusal:
            self._story.say(f"The table stays open: {refusal}")
        else:
            self._story.say("The table is closed")

    async def _do(self, number: int, step: Step) -> None:
        self._times_ns.append(self._host.now_ns)
        self._round = 0
        self._waiting = list(step.during)
        if step.action is not None:
            self._story.say(f"-- {step.says}" if step.says else f"Step {number}: {step.action}")
            await self._stage.act(step.action)
            return
        self._story.say(f"-- {step.says}" if step.says else f"Step {number}: {step.rounds} rounds")
        for self._round in range(1, step.rounds + 1):
            await self._crew.dealer.play_round()

    async def _moment(self, name: str) -> None:
        for each in tuple(self._waiting):
            if each.round == self._round and each.at == name:
                # Once: a moment may come again in a round, when dice are reshaken for example.
                self._waiting.remove(each)
                self._story.say(f"    -- {each.says}" if each.says else f"    ({each.action})")
                await self._stage.act(each.action)

    def _found(self, expected: Expectation, rows: JournalRows) -> int:
        return sum(self._fits(expected, row) for row in rows.all)

    def _fits(self, expected: Expectation, row: JournalRow) -> bool:
        if expected.after is not None:
            begins, ends = self._times_ns[expected.after - 1], self._times_ns[expected.after]
            if not begins <= row.mono_ns <= ends:
                return False
        if expected.by == "event":
            subject = row.body.get("device") or row.context.get("deck") or row.body.get("subject_id")
            fits = row.what == expected.name and expected.subject in {"", subject}
            return fits and all(row.body.get(key) == value for key, value in expected.having.items())
        if row.what != "ruling-made" or expected.subject not in {"", row.body["subject_id"]}:
            return False
        if expected.by == "cite":
            return expected.name in row.body["cite"]
        return bool(row.body["row"] == expected.name)


def rulings(rows: JournalRows) -> dict[str, int]:
    """How often each citation was ruled by; the daemon's own rules go by `own: ROW`."""
    found: Counter[str] = Counter()
    for row in rows.of("ruling-made"):
        found.update(row.body["cite"] or [f"own: {row.body['row']}"])
    return dict(sorted(found.items()))


def play(scenario: Scenario, folder: Path, seed: int | None, tell: Callable[[str], None]) -> Outcome:
    """Play a scenario in this folder. Raises `RunFailed`, `Stuck` and `NoTable`."""
    chosen = scenario.seed if seed is None else seed
    house = House(
        scenario.config,
        folder,
        chosen,
        changes=scenario.changes,
        builds=scenario.builds,
        begins=scenario.begins,
    )
    with house:
        return Player(scenario, house, tell).play(chosen)
