"""How long the advice of a row is shown: until what it asks for is seen, or until the round is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import Table
from felt_protocols import commands
from felt_protocols.events import card, deck, device, draw, person, reader, station

from .any_facts import facts_of
from .any_game import AUTOMATED, ENDLESS, HAND, MANUAL, AnyGame, opened
from .any_rare_story import RARE
from .any_situation import phases_of, troubles_of, turns_of
from .any_story import stories_of
from .felt import DEALER, FLOOR, moment

if TYPE_CHECKING:
    from felt_daemon.table import State
    from felt_protocols.events import Fact

SHAKER, SHOE = "shaker-1", "shoe-1"
SHAKEN = draw.ShakerShaken(device=SHAKER)
COVERED = draw.ShakerCovered(device=SHAKER)
UNCOVERED = draw.ShakerUncovered(device=SHAKER)
CLEARED = device.DeviceCleared(device=SHOE)
LOADED = card.ShoeLoaded(device=SHOE, count=52)
IN_SHUFFLER = deck.DeckLoaded(device="shuffler-1", batch=90)
SIGNED = person.SignMoved(by=FLOOR, device=SHOE, sign="covered")
CUT = person.Reported(by=DEALER, report="stack-cut", deck="red")
REPORTED = person.Reported(by=DEALER, report="seats-playing", seats=(1, 2))
WASHED = person.Reported(by=DEALER, report="deck-washed", deck="red")
COUNTED = person.DeckCounted(by=DEALER, deck="red", count=4, part="remaining")
ENDED = person.RoundEnded(by=DEALER)
DRAWN = card.CardDrawn(device=SHOE, face_up=False)
PRESSED = station.StartGamePressed(device="progressive-station-1")
CLOSED = person.BetsClosed(by=DEALER)
SPREAD = person.Reported(by=DEALER, report="deck-spread", deck="blue")
ROLLED = draw.DiceRead(device=SHAKER, faces=(1, 2, 3), flat=True, inside=True)
SHAKEN_ANEW = (COVERED, SHAKEN, SHAKEN, SHAKEN, UNCOVERED, ROLLED)
LOOKED_AFTER = (SHAKEN, COVERED, UNCOVERED)
RETURNED = card.CardsReturned(device=f"{ENDLESS}-1", count=9)
READ = reader.HoleCardRead(device="hole-card-reader-1", blackjack=False)

# A table, its situation, what is told there, the row that it fires, and each fact that ends its advice.
Ends = tuple["Fact | tuple[Fact, ...]", ...]
SHOWN: list[tuple[tuple[str, str], str, str, str, Ends]] = [
    (("672a", MANUAL), "signed", "a shuffle begins", "signed-device-works", (SIGNED,)),
    (("672a", MANUAL), "new-dealer", "a card comes", "other-deck-not-in-shuffler", (IN_SHUFFLER,)),
    (
        ("659a", AUTOMATED),
        "betting",
        "the shaker is alone",
        "shaker-unattended",
        (SHAKEN, COVERED, UNCOVERED),
    ),
    (("659a", AUTOMATED), "dealt", "the shoe is emptied", "left-not-counted", (COUNTED,)),
    (("659a", AUTOMATED), "shaken", "a die is out", "die-outside", (ROLLED,)),
    (("659a", AUTOMATED), "betting", "dice are read, hardly shaken", "too-few-shakes", (SHAKEN_ANEW,)),
    (("659a", AUTOMATED), "shaken", "dice cannot be read", "dice-not-read", (ROLLED,)),
    (("659a", AUTOMATED), "shaken", "dice are read, hardly shaken", "start-before-bets-closed", (CLOSED,)),
    (("665a", MANUAL), "betting", "blue comes preshuffled", "tens-in-preshuffled-cards", (SPREAD,)),
    (("686a", MANUAL), "betting", "blue comes preshuffled", "preshuffled-not-spread", (SPREAD,)),
    (("637a", MANUAL), "playing", "report first-draw", "first-burn", (REPORTED,)),
    (("637a", MANUAL), "draw", "report second-draw", "second-burn", (REPORTED,)),
    (("659a", AUTOMATED), "around", "report cards-dealt", "other-method-before-sign", (SIGNED,)),
    (("663a", AUTOMATED), "fifth", "the shoe is emptied", "stub-count-due-automated-shoe", (COUNTED,)),
    (("663a", MANUAL), "fifth", "the shoe is emptied", "stub-count-due-manual-shoe", (COUNTED,)),
    (("663a", HAND), "fifth", "report cards-dealt", "stub-count-due-hand", (COUNTED,)),
    (("659a", MANUAL), "betting", "the shoe jams", "card-sticks", (CLEARED,)),
    (("659a", AUTOMATED), "betting", "shoe does not obey", "interlock-unconfirmed", (CLEARED,)),
    (("659a", AUTOMATED), "signed", "a shuffle begins", "signed-device-works", (SIGNED,)),
    (("659a", AUTOMATED), "apart", "a stack comes", "other-deck-not-in-shuffler", (IN_SHUFFLER,)),
    (("659a", MANUAL), "apart", "a card comes", "other-deck-not-kept-in-shuffler", (IN_SHUFFLER,)),
    (("659a", AUTOMATED), "new", "cards are put in", "deck-not-prepared", (WASHED,)),
    (("627a", MANUAL), "playing", "a card comes", "third-card-before-house-money", (REPORTED,)),
    (("627a", MANUAL), "new", "cards are put in", "dealt-unshuffled", (card.ShoeUnloaded(device=SHOE),)),
    (("627a", MANUAL), "playing", "the shoe is empty", "shoe-ran-empty", (LOADED, ENDED)),
    (("633a", MANUAL), "playing", "a hole card is put in", "reader-before-optional-wagers", (REPORTED,)),
    (("633a", MANUAL), "playing", "the reader cannot tell", "reader-cannot-tell", (READ,)),
    (("637a", MANUAL), "playing", "a card comes", "drawn-before-a-draw", (REPORTED,)),
    (("637a", MANUAL), "draw", "the shoe is empty", "deck-short", (LOADED, ENDED)),
    (("665a", MANUAL), "turned", "a card comes", "third-card", (REPORTED,)),
    (("671a", AUTOMATED), "dealt", "a stack comes", "drawn-before-decisions-locked", (REPORTED,)),
    (("671a", AUTOMATED), "betting", "a stack of one more", "stack-of-nobody-known", (REPORTED,)),
    (("672a", MANUAL), "apart", "a recut is ordered", "recut-ordered", (CUT, LOADED)),
    (("672a", MANUAL), "playing", "the shoe is empty", "shoe-too-short", (LOADED,)),
    (("672a", MANUAL), "new", "cards are put in", "deck-not-prepared", (WASHED,)),
    (("672a", ENDLESS), "playing", "the box is empty", "shoe-too-short", (RETURNED,)),
    (("687a", AUTOMATED), "wager", "a stack comes", "start-game-not-pressed-automated-shoe", (PRESSED,)),
    (("687a", MANUAL), "wager", "a card comes", "start-game-not-pressed-manual-shoe", (PRESSED,)),
    (("687a", HAND), "wager", "report cards-dealt", "start-game-not-pressed-hand", (PRESSED,)),
]


def led(table: tuple[str, str], situation: str) -> AnyGame:
    """Such a table in this situation."""
    felt = opened(*table)
    (phases_of(felt) | troubles_of(felt) | turns_of(felt) | stories_of(felt) | RARE.get(table, {}))[
        situation
    ](felt)
    return felt


def shown(state: State) -> list[str]:
    """The rows whose advice is shown."""
    return [] if state.round is None else [notice.row for notice in state.round.notices]


def after(felt: AnyGame, *facts: Fact) -> list[str]:
    """The rows whose advice is shown after these facts."""
    table = Table(felt.pack, felt.state)
    for number, fact in enumerate(facts):
        table.take(fact, moment(1000 + number))
    return shown(table.state)


@pytest.mark.rule(
    "dealt-unshuffled",
    "shoe-ran-empty",
    "third-card-before-house-money",
    chapters=("627a",),
)
@pytest.mark.rule(
    "reader-before-optional-wagers",
    "reader-cannot-tell",
    chapters=("633a",),
)
@pytest.mark.rule(
    "deck-short",
    "drawn-before-a-draw",
    "first-burn",
    "second-burn",
    chapters=("637a",),
)
@pytest.mark.rule(
    "card-sticks",
    "deck-not-prepared",
    "dice-not-read",
    "die-outside",
    "interlock-unconfirmed",
    "left-not-counted",
    "other-deck-not-in-shuffler",
    "other-deck-not-kept-in-shuffler",
    "other-method-before-sign",
    "shaker-unattended",
    "signed-device-works",
    "start-before-bets-closed",
    "too-few-shakes",
    chapters=("659a",),
)
@pytest.mark.rule(
    "stub-count-due-automated-shoe",
    "stub-count-due-hand",
    "stub-count-due-manual-shoe",
    chapters=("663a",),
)
@pytest.mark.rule(
    "tens-in-preshuffled-cards",
    "third-card",
    chapters=("665a",),
)
@pytest.mark.rule(
    "drawn-before-decisions-locked",
    "stack-of-nobody-known",
    chapters=("671a",),
)
@pytest.mark.rule(
    "deck-not-prepared",
    "other-deck-not-in-shuffler",
    "recut-ordered",
    "shoe-too-short",
    "signed-device-works",
    chapters=("672a",),
)
@pytest.mark.rule(
    "preshuffled-not-spread",
    chapters=("686a",),
)
@pytest.mark.rule(
    "start-game-not-pressed-automated-shoe",
    "start-game-not-pressed-hand",
    "start-game-not-pressed-manual-shoe",
    chapters=("687a",),
)
@pytest.mark.parametrize(("table", "situation", "told", "row", "ends"), SHOWN)
def test_advice_is_shown_until_what_it_asks_for_is_seen(
    table: tuple[str, str], situation: str, told: str, row: str, ends: Ends
) -> None:
    felt = led(table, situation)
    if told.startswith("report "):
        felt.report(told.removeprefix("report "), deck="red")
    else:
        felt.tell(facts_of(felt)[told](felt))
    assert row in shown(felt.state)
    # Another light of the shoe is nothing that anybody asked for.
    assert row in after(felt, device.LightShown(device=felt.box, colour="green"))
    for end in ends:
        assert row not in after(felt, *(end if isinstance(end, tuple) else (end,))), end


@pytest.mark.rule("drawn-before-the-call", chapters=("631a",))
def test_advice_on_the_call_is_shown_until_the_dealer_has_called() -> None:
    felt = opened("631a", MANUAL, "the call is told")
    felt.bets()
    felt.draw()
    assert shown(felt.state) == ["drawn-before-the-call"]
    assert after(felt, person.Reported(by=DEALER, report="cards-called")) == []


@pytest.mark.rule("third-burn", chapters=("637a",))
def test_advice_on_the_third_burn_is_shown_until_a_card_comes_or_something_is_told() -> None:
    felt = led(("637a", MANUAL), "draw")
    felt.draw()
    felt.report("second-draw")
    felt.draw()
    felt.report("third-draw")
    assert "third-burn" in shown(felt.state)
    assert "third-burn" not in after(felt, REPORTED)
    assert "third-burn" not in after(felt, DRAWN)


@pytest.mark.rule("other-method-before-sign", chapters=("672a",))
def test_advice_on_a_sign_is_shown_until_the_sign_is_there() -> None:
    felt = opened("672a", MANUAL)
    felt.command(commands.Method(shuffle="hand"))
    felt.tell(device.DeviceFaulted(device="shuffler-1", code="motor"), card.ShoeUnloaded(device=SHOE))
    felt.report("deck-shuffled", deck="red")
    assert "other-method-before-sign" in shown(felt.state)
    assert after(felt, person.SignMoved(by=FLOOR, device="shuffler-1", sign="covered")) == []


@pytest.mark.rule("decisions-never-locked", chapters=("671a",))
def test_advice_at_the_end_of_a_round_is_shown_until_the_next_deal() -> None:
    felt = led(("671a", AUTOMATED), "dealt")
    felt.tell(ENDED)
    assert felt.state.phase == "betting"
    assert shown(felt.state) == ["decisions-never-locked"]
    assert shown(felt.state) == after(felt, REPORTED)
    for fact in (CLOSED, DRAWN, card.StackDispensed(device=SHOE, size=5)):
        assert "decisions-never-locked" not in after(felt, fact), fact


def test_advice_at_the_end_of_a_round_is_shown_for_one_round_where_nobody_tells_of_its_bets() -> None:
    felt = led(("671a", AUTOMATED), "dealt")
    felt.tell(ENDED)
    assert after(felt, person.TableClosed(by=FLOOR)) == []
    assert after(felt, CLOSED, ENDED) == []


def test_a_table_that_closes_with_its_round_shows_nothing_of_it_when_it_opens_again() -> None:
    felt = led(("671a", AUTOMATED), "dealt")
    felt.tell(person.TableClosed(by=FLOOR), ENDED)
    assert (felt.state.table, felt.state.carried) == ("closed", ())


@pytest.mark.rule("not-shaken-after-deal")
def test_659a_5_g_1_iv_the_shake_that_was_forgotten_is_asked_for_until_it_is_made() -> None:
    felt = led(("659a", AUTOMATED), "playing")
    felt.tell(ENDED)
    assert "not-shaken-after-deal" in shown(felt.state)
    assert "not-shaken-after-deal" in after(felt, COVERED)
    assert "not-shaken-after-deal" not in after(felt, COVERED, SHAKEN)


def test_advice_of_a_round_that_is_over_is_not_shown_in_the_next_one() -> None:
    felt = led(("671a", AUTOMATED), "dealt")
    felt.tell(card.CardDrawn(device=SHOE, face_up=True))
    assert "face-up-card" in shown(felt.state)
    assert "face-up-card" not in after(felt, ENDED)
