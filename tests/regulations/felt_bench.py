"""What people do at a table of Asia Poker, with its shuffler, its shoe, its shaker and its panel."""

from __future__ import annotations

from typing import Any

from felt_daemon.rules import load
from felt_protocols import commands
from felt_simulators.chance import seeded
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild

from .handled_table import HandledTable

PACK = load("659a")
METHOD = {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"}


class Bench(HandledTable):
    """People at the table; every hand takes the time that the devices need."""

    def __init__(
        self,
        seed: int = 1,
        shoe: ShoeBuild | None = None,
        **options: Any,  # noqa: ANN401 - a linked table's own options
    ) -> None:
        rng = seeded(seed)
        shuffler = Shuffler(ShufflerBuild(shuffle_s=6.0), rng, 0.0)
        automated = Shoe(shoe or ShoeBuild(), rng, 0.0)
        self.shaker = Shaker(ShakerBuild(), rng, 0.0)
        machines = {
            "shuffler-1": shuffler,
            "shoe-1": automated,
            "shaker-1": self.shaker,
            "panel-1": DealersPanel(PanelBuild(), rng, 0.0),
        }
        chosen: dict[str, Any] = {"method": METHOD, "selftests": frozenset({"shuffler-1"}), **options}
        super().__init__(PACK, machines, **chosen)

    # ---- hands ---------------------------------------------------------------------------------------

    def open(self) -> None:
        """Both decks shuffled, one in the shoe and one in the shuffler, dice new, table open."""
        self.until(lambda: all(one.link == "ready" for one in self.table.state.devices.values()))
        self.command(commands.ChangeDice(device="shaker-1"))
        self.bring("red")
        self.shuffle(self.cards["red"])
        self.to_shoe()
        self.bring("blue")
        self.shuffle(self.cards["blue"])
        self.command(commands.OpenTable())

    def shake(self, times: int = 3) -> None:
        """Shake the covered shaker."""
        if not self.shaker.covered:
            self.shaker.cover(self.now)
        for _ in range(times):
            self.shaker.shake(self.now)
            self.run(1.0)

    def uncover(self) -> None:
        """Take the lid off and let the dice be read."""
        self.shaker.uncover(self.now)
        self.run(1.0)

    def ready_to_deal(self) -> None:
        """Bets closed, start position known."""
        self.no_more_bets()
        self.shake()
        self.uncover()

    def cover_and_shake_once(self) -> None:
        """What is done with the shaker after the deal."""
        self.shaker.cover(self.now)
        self.shaker.shake(self.now)
        self.run(0.5)

    def play_round(self) -> None:
        """One sound round, and the change of decks after it."""
        self.finish_round()
        self.change_over()

    def finish_round(self) -> None:
        """A sound round up to its end; the decks are not changed over yet."""
        self.ready_to_deal()
        self.deal()
        self.take_rest()
        self.cover_and_shake_once()
        self.end_round()
