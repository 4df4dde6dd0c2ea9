"""Situations that a table of any game can be brought to: the phases of a round, and what is so beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, person, reader, station, system

from .any_game import BACCARAT, ENDLESS, HAND, MANUAL, POKER
from .felt import DEALER, FLOOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from .any_game import AnyGame

    Lead = Callable[[AnyGame], None]

BLACKJACK = ("633a", "635a", "665a", "672a", "673a")
SHAKER, READER, STATION = "shaker-1", "hole-card-reader-1", "progressive-station-1"


# ---- The phases of a round -----------------------------------------------------------------------------


def _none(felt: AnyGame) -> None:
    felt.tell(person.TableClosed(by=FLOOR))


def _betting(_felt: AnyGame) -> None:
    pass


def _closed(felt: AnyGame) -> None:
    felt.bets()


def dealing(felt: AnyGame) -> None:
    felt.bets()
    felt.hand_out(1)


def dealt(felt: AnyGame) -> None:
    felt.bets()
    felt.hand_out()


def playing(felt: AnyGame) -> None:
    dealt(felt)
    if felt.chapter == "671a":
        felt.report("decisions-locked")
    elif felt.chapter in POKER and felt.has("shoe"):
        felt.tell(card.ShoeUnloaded(device="shoe-1", count=felt.total - felt.round.cards))
    elif felt.chapter == "659a":
        felt.tell(person.DeckCounted(by=FLOOR, deck="red", count=4, part="remaining"))


def _void(felt: AnyGame) -> None:
    dealing(felt)
    felt.report("wrong-number")


# ---- Decks and devices that are not where or as they were ----------------------------------------------


def _idle(felt: AnyGame) -> None:
    """Nobody plays, and the cards lie spread."""
    felt.report("cards-spread")


def apart(felt: AnyGame) -> None:
    """Both decks are in people's hands; the shuffler and the shoe are empty."""
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    if felt.has("shoe"):
        felt.tell(card.ShoeUnloaded(device="shoe-1", count=felt.total))


def _new(felt: AnyGame) -> None:
    """New decks that nobody has prepared or shuffled; the shuffler and the shoe are empty."""
    apart(felt)
    felt.tell(*(person.DeckChanged(by=FLOOR, deck=name) for name in felt.setup.decks))


def _working(felt: AnyGame) -> None:
    """The shuffler is in the middle of a shuffle."""
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    felt.batch += 1
    felt.tell(
        deck.DeckLoaded(device="shuffler-1", batch=felt.batch, count=felt.total),
        deck.ShuffleStarted(device="shuffler-1", batch=felt.batch),
    )


def _broken(felt: AnyGame) -> None:
    """The shuffler and the shoe tell of a fault."""
    for name in ("shuffler-1", "shoe-1"):
        if name in felt.setup.devices:
            felt.tell(device.DeviceFaulted(device=name, code="motor"))


def _signed(felt: AnyGame) -> None:
    """Every device is under a sign."""
    for name in felt.setup.devices:
        felt.command(commands.Sign(device=name, sign="out-of-order"))


def _by_hand(felt: AnyGame) -> None:
    """The dealer shuffles by hand from here on."""
    felt.command(commands.Method(shuffle="hand"))


def _withdrawn(felt: AnyGame) -> None:
    """A person has withdrawn a card of red, and red is held."""
    felt.tell(person.CardWithdrawn(by=FLOOR, deck="red", place="discard", why="bent"))


# ---- Asia Poker's dice ---------------------------------------------------------------------------------


def _shaken(felt: AnyGame) -> None:
    """The dice are shaken three times under the lid, and bets are open."""
    felt.tell(draw.ShakerCovered(device=SHAKER), *(draw.ShakerShaken(device=SHAKER) for _ in range(3)))


def _undated(felt: AnyGame) -> None:
    """Nobody has told when the dice came: their clock has run out."""
    felt.tell(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))


def _otherwise(felt: AnyGame) -> None:
    """The starting position is found with the button, though a shaker lies there."""
    felt.command(commands.Method(start="button"))


# ---- Blackjack: the up card and the reader -------------------------------------------------------------


def _ace(felt: AnyGame) -> None:
    playing(felt)
    felt.report("up-card-ace")


def _insured(felt: AnyGame) -> None:
    _ace(felt)
    felt.report("insurance-closed")


def _ten(felt: AnyGame) -> None:
    playing(felt)
    felt.report("up-card-ten")


def _other(felt: AnyGame) -> None:
    playing(felt)
    felt.report("up-card-other")


def _used(felt: AnyGame) -> None:
    """The reader said that there is no Blackjack, under a ten."""
    _ten(felt)
    felt.tell(reader.HoleCardInserted(device=READER), reader.HoleCardRead(device=READER, blackjack=False))


def _blackjack(felt: AnyGame) -> None:
    _ten(felt)
    felt.tell(reader.HoleCardInserted(device=READER), reader.HoleCardRead(device=READER, blackjack=True))


def _readerless(felt: AnyGame) -> None:
    """The up card calls for the reader, and nobody hears it."""
    _ten(felt)
    felt.tell(device.DeviceLost(device=READER, why="silent"))


def _retired(felt: AnyGame) -> None:
    """The up card calls for the reader, and there is none at the table."""
    felt.command(commands.DeviceRetire(device=READER, shown_empty=True), "tech", "Tim")
    _ten(felt)


def _morning(felt: AnyGame) -> None:
    """Another gaming day began, and nobody has inspected the reader."""
    felt.tell(system.GamingDayBegan(day="2030-05-02"))


def _turned(felt: AnyGame) -> None:
    """The dealer's hole card lies face up."""
    playing(felt)
    felt.report("hole-card-turned")


def _third(felt: AnyGame) -> None:
    """The dealer's third card is out, in Double Attack Blackjack."""
    _turned(felt)
    felt.draw()


def _settled(felt: AnyGame) -> None:
    """Optional wagers are settled, in Blackjack."""
    playing(felt)
    felt.report("optional-wagers-settled")


# ---- Other games ---------------------------------------------------------------------------------------


def _third_cards(felt: AnyGame) -> None:
    """House Money is settled and both third cards are out."""
    playing(felt)
    felt.report("house-money-settled")
    felt.draw(2)


def _without_house_money(felt: AnyGame) -> None:
    playing(felt)
    felt.report("no-house-money")


def _first_draw(felt: AnyGame) -> None:
    playing(felt)
    felt.report("first-draw")


def _wager(felt: AnyGame) -> None:
    """A progressive wager is on, and Start Game was not pressed."""
    felt.tell(station.ProgressiveBet(device=STATION, seat=1, present=True))
    felt.bets()


def _started(felt: AnyGame) -> None:
    """The same, and it was pressed."""
    _wager(felt)
    felt.tell(station.StartGamePressed(device=STATION))


def _wager_playing(felt: AnyGame) -> None:
    felt.tell(station.ProgressiveBet(device=STATION, seat=1, present=True))
    playing(felt)


def _all_play(felt: AnyGame) -> None:
    """Every position plays, all hands are out."""
    felt.report("seats-playing", seats=tuple(range(1, felt.setup.positions + 1)))
    felt.tell(person.BetsClosed(by=DEALER))
    felt.hand_out(felt.setup.positions + 1)


def phases_of(felt: AnyGame) -> dict[str, Lead]:
    """The phases of a round."""
    found: dict[str, Lead] = {"none": _none, "betting": _betting}
    poker = felt.chapter in POKER
    if poker or felt.chapter in BACCARAT:
        found["hand-deal" if felt.by_people else "closed"] = _closed
    if not felt.by_people:
        found["dealing"] = dealing
    if poker and not (felt.by_people and felt.chapter in {"663a", "687a"}):
        found["dealt"] = dealt
    found["playing"] = playing
    if poker:
        found["void"] = _void
    return found


def troubles_of(felt: AnyGame) -> dict[str, Lead]:
    """Decks and devices that are not where or as they were."""
    found: dict[str, Lead] = {"signed": _signed}
    if felt.has("shuffler"):
        found |= {"apart": apart, "new": _new, "working": _working, "broken": _broken}
        found |= {"withdrawn": _withdrawn} if felt.deals == HAND else {"by-hand": _by_hand}
    if felt.knows("cards-spread"):
        found["idle"] = _idle
    return found


def _turns_of_blackjack(felt: AnyGame) -> dict[str, Lead]:
    found: dict[str, Lead] = {"ace": _ace, "insured": _insured, "ten": _ten, "other": _other, "used": _used}
    found |= {"blackjack": _blackjack, "unheard": _readerless, "readerless": _retired, "morning": _morning}
    if felt.knows("hole-card-turned"):
        found["turned"] = _turned
    if felt.knows("bust-it-settled"):
        found["third"] = _third
    return found


def turns_of(felt: AnyGame) -> dict[str, Lead]:
    """What one game knows and another does not."""
    found: dict[str, Lead] = {}
    if felt.has("shaker"):
        found |= {"shaken": _shaken, "undated": _undated}
        if felt.deals not in {HAND, MANUAL}:
            found["button"] = _otherwise
    if felt.chapter in BLACKJACK:
        found |= _turns_of_blackjack(felt)
    if felt.chapter == "633a" and felt.house != "no optional wagers":
        found["settled"] = _settled
    if felt.chapter in BACCARAT:
        found |= {"six-cards": _third_cards, "no-house-money": _without_house_money}
    if felt.chapter == "637a" and felt.house != "Super Seven":
        found["draw"] = _first_draw
    if felt.has("progressive-station"):
        found |= {"wager": _wager, "started": _started, "wager-playing": _wager_playing}
    if felt.chapter == "671a" and felt.deals not in {HAND, ENDLESS}:
        found["all-play"] = _all_play
    return found
