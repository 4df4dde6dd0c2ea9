"""How many facts of a table's evening are decided in a second, and how large the table's state is then.

Facts go through `decide`, which makes and applies every row of them, in alternating blocks with a baseline:
the same rows as canonical JSON with their SHA-256, as the journal must write them. The ratio tells how much
dearer it is to decide a fact than to write it down, whatever the machine.

    python benchmarks/decide.py                 twenty blocks of an evening of each game
    python benchmarks/decide.py --blocks 5
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import statistics
import time
import tracemalloc
from typing import TYPE_CHECKING

from felt_daemon.rules import load
from felt_daemon.table import Table, blank, evolve, set_up
from felt_protocols.events import Moment, bodies, card, deck, device, draw, person, system
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from felt_daemon.rules import Pack
    from felt_daemon.table import Setup
    from felt_protocols.events import Fact, Row

DEALER, FLOOR = Person(role="dealer", name="Dan"), Person(role="floor", name="Ann")
ROUNDS = 20
# Positions that play at the table of blackjack, and cards that come to each of them and the dealer.
SEATS = (1, 2, 3, 4, 5)


def opening(setup: Setup) -> Iterator[Fact]:
    """The daemon starts, every device is heard, and each deck comes preshuffled."""
    yield system.Started(
        version="1",
        epoch="e",
        pack=setup.game,
        pack_digest="0",
        config_digest="0",
        elections={},
        reference="RS-1",
        reference_date="2026-01-01",
        gaming_day="2026-01-01",
    )
    for name, family in setup.devices.items():
        yield device.DeviceConnected(
            device=name,
            family=family,
            model="m",
            serial="s",
            firmware="1",
            digest="0",
            device_boot="a1",
            same_boot=False,
        )
        yield device.DeviceDrained(device=name, upto=0)
        yield person.Inspected(by=FLOOR, device=name, result="in-order")
    for name in setup.decks:
        yield person.DeckChanged(by=FLOOR, deck=name, preshuffled=True)


def shuffled(batch: int, total: int) -> Iterator[Fact]:
    """A deck goes into the shuffler and is shuffled."""
    yield deck.DeckLoaded(device="shuffler-1", batch=batch, count=total)
    yield deck.ShuffleStarted(device="shuffler-1", batch=batch)
    yield deck.ShuffleCompleted(device="shuffler-1", batch=batch, mode="shuffle", count=total)


def poker(setup: Setup) -> Iterator[Fact]:
    """An evening of Asia Poker: dice, seven stacks, four cards left, and the decks alternate."""
    yield from opening(setup)
    yield person.DiceChanged(by=FLOOR, device="shaker-1")
    yield card.ShoeLoaded(device="shoe-1", count=53)
    yield from shuffled(1, 53)
    yield person.TableOpened(by=FLOOR)
    for number in range(ROUNDS):
        yield person.BetsClosed(by=DEALER)
        yield draw.ShakerCovered(device="shaker-1")
        yield from (draw.ShakerShaken(device="shaker-1") for _ in range(3))
        yield draw.ShakerUncovered(device="shaker-1")
        yield draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True)
        yield from (card.StackDispensed(device="shoe-1", size=7) for _ in range(7))
        yield card.ShoeUnloaded(device="shoe-1", count=4)
        yield draw.ShakerCovered(device="shaker-1")
        yield draw.ShakerShaken(device="shaker-1")
        yield person.RoundEnded(by=DEALER)
        yield deck.DeckUnloaded(device="shuffler-1", batch=number + 1, count=53)
        yield card.ShoeLoaded(device="shoe-1", count=53)
        yield from shuffled(number + 2, 53)


def blackjack(setup: Setup) -> Iterator[Fact]:
    """An evening of Free Bet Blackjack: single cards from a shoe of eight decks."""
    yield from opening(setup)
    yield card.ShoeLoaded(device="shoe-1", count=setup.deck_total)
    yield person.TableOpened(by=FLOOR)
    yield card.CardDrawn(device="shoe-1", face_up=False)
    for _ in range(ROUNDS):
        yield person.Reported(by=DEALER, report="seats-playing", seats=SEATS)
        for number in range(2 * len(SEATS) + 2):
            shown = number != 2 * len(SEATS) + 1
            name = {"rank": "6", "suit": "clubs"} if shown else {}
            yield card.CardDrawn.model_validate(
                {"device": "shoe-1", "face_up": False, "shown": shown, **name}
            )
        yield from (
            card.CardDrawn(device="shoe-1", face_up=False, shown=True, rank="9", suit="hearts")
            for _ in range(4)
        )
        yield person.RoundEnded(by=DEALER)


def table_of(chapter: str, pack: Pack) -> Setup:
    """What is on the felt."""
    families = ("shuffler", "shoe", "shaker") if chapter == "659a" else ("shoe", "hole-card-reader")
    decks = ("red", "blue") if chapter == "659a" else ("red",)
    return set_up(
        pack,
        table="t-1",
        devices={f"{family}-1": family for family in families},
        decks={name: name for name in decks},
    )


def moment(second: int) -> Moment:
    """A moment so many seconds after the boot."""
    return Moment("boot", "run", second * 1_000_000_000, second * 1_000_000, trusted=True)


def decided(pack: Pack, setup: Setup, facts: Sequence[Fact]) -> list[Row]:
    """Every row of an evening."""
    table = Table(pack, blank(setup))
    return [row for second, fact in enumerate(facts) for row in table.take(fact, moment(second))]


def written(rows: Sequence[Row]) -> None:
    """The rows as the journal writes them: two bodies in canonical JSON, and a chain of digests."""
    chain = b""
    for row in rows:
        public, private = bodies(row.event, row.context)
        chain = hashlib.sha256(
            chain + hashlib.sha256(public).digest() + hashlib.sha256(private).digest()
        ).digest()


def per_second(count: int, work: Callable[[], object]) -> float:
    """How many are done in a second of the processor's time."""
    began = time.process_time()
    work()
    return count / (time.process_time() - began)


def bytes_of_state(setup: Setup, rows: Sequence[Row]) -> int:
    """What the state takes after these rows, beside the rows and the setup."""
    gc.collect()
    tracemalloc.start()
    before, _peak = tracemalloc.get_traced_memory()
    state = blank(setup)
    for row in rows:
        state = evolve(state, row)
    gc.collect()
    after, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before if state.seq else 0


def shown(values: Sequence[float]) -> str:
    """A median, with the smallest and the largest value."""
    return f"{statistics.median(values):,.0f} ({min(values):,.0f}-{max(values):,.0f})"


def measure(chapter: str, evening: Callable[[Setup], Iterator[Fact]], blocks: int) -> None:
    """Measure an evening, and print what it came to."""
    pack = load(chapter, {"decks": 8}) if chapter == "672a" else load(chapter)
    setup = table_of(chapter, pack)
    facts = list(evening(setup))
    rows = decided(pack, setup, facts)
    ours: list[float] = []
    baseline: list[float] = []
    for _ in range(blocks):
        ours.append(per_second(len(facts), lambda: decided(pack, setup, facts)))
        baseline.append(per_second(len(facts), lambda: written(rows)))
    ratio = statistics.median(baseline) / statistics.median(ours)
    print(f"{chapter}: {len(facts)} facts, {len(rows)} rows, {setup.deck_total} cards a deck")
    print(f"  facts decided in a second          {shown(ours)}")
    print(f"  facts written down in a second     {shown(baseline)}")
    print(f"  deciding takes                     {ratio:.1f} times the writing")
    print(f"  the state then                     {bytes_of_state(setup, rows):,} bytes")


def main() -> None:
    """Measure an evening of each game, and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=20, help="alternating blocks of each")
    blocks = parser.parse_args().blocks
    for chapter, evening in (("659a", poker), ("672a", blackjack)):
        measure(chapter, evening, blocks)


if __name__ == "__main__":
    main()
