"""Which of several decks went where, in the cases in which every word of the answer counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.library import parse_pack
from felt_daemon.table import set_up
from felt_protocols import commands
from felt_protocols.events import card, deck, device, person

from .any_game import MANUAL
from .any_game import opened as opened_game
from .felt import FLOOR, Felt, connected, setup_of
from .small_games import SINGLES, open_small
from .test_cards_and_decks import mapped, places

if TYPE_CHECKING:
    from felt_protocols.events import Fact

ONE_OF_SEVERAL = "one of several decks that it could be"


def shuffled_by(name: str, batch: int) -> list[Fact]:
    """What a shuffler tells of a deck that is put in, shuffled and taken out."""
    return [
        deck.DeckLoaded(device=name, batch=batch, count=53),
        deck.ShuffleStarted(device=name, batch=batch),
        deck.ShuffleCompleted(device=name, batch=batch, mode="shuffle", count=53),
        deck.DeckUnloaded(device=name, batch=batch, count=53),
    ]


def test_a_deck_that_left_one_shuffler_may_be_put_into_another() -> None:
    felt = Felt(setup=setup_of(devices={"shuffler-1": "shuffler", "shuffler-2": "shuffler"}))
    felt.change_deck("red")
    felt.tell(*shuffled_by("shuffler-1", 1))
    felt.tell(deck.DeckLoaded(device="shuffler-2", batch=1, count=53))
    assert mapped(felt)[-1] == ("red", True, "the only deck not in use")


def test_a_deck_that_lies_in_one_shuffler_is_not_put_into_another() -> None:
    felt = Felt(setup=setup_of(devices={"shuffler-1": "shuffler", "shuffler-2": "shuffler"}))
    felt.change_deck("red", "blue")
    felt.tell(*shuffled_by("shuffler-1", 1)[:-1])
    felt.tell(deck.DeckLoaded(device="shuffler-2", batch=1, count=53))
    assert mapped(felt) == [("red", False, ONE_OF_SEVERAL), ("blue", True, "the only deck not in use")]


def test_of_two_unshuffled_decks_the_one_dealt_last_is_taken_before_a_new_one(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.finish()
    opened.tell(deck.DeckUnloaded(device="shuffler-1", batch=2, count=53))
    opened.change_deck("blue")
    assert (places(opened, "red"), places(opened, "blue")) == ({"discard": 53}, {"hand": 53})
    opened.load()
    assert mapped(opened)[-1] == ("red", False, ONE_OF_SEVERAL)


def test_cards_in_the_rack_of_a_deck_in_the_shoe_are_not_put_into_it(opened: Felt) -> None:
    opened.tell(card.CardDrawn(device="shoe-1", face_up=True))
    before = {"shoe": 52, "discard": 1}
    assert (places(opened, "red"), places(opened, "blue")) == (before, {"shuffler": 53})
    opened.tell(card.ShoeLoaded(device="shoe-1"))
    assert places(opened, "red") == before
    assert len(mapped(opened)) == 3


def test_the_only_deck_at_hand_is_proved_in_the_shoe_only_if_it_was_proved_before(felt: Felt) -> None:
    felt.change_deck("red", "blue")
    felt.tell(*shuffled_by("shuffler-1", 1))
    felt.tell(deck.DeckLoaded(device="shuffler-1", batch=2, count=53), card.ShoeLoaded(device="shoe-1"))
    assert mapped(felt) == [
        ("red", False, ONE_OF_SEVERAL),
        ("blue", False, ONE_OF_SEVERAL),
        ("red", False, "the only deck at hand"),
    ]


def test_a_shuffled_deck_is_put_into_the_shoe_before_an_unshuffled_one(felt: Felt) -> None:
    felt.change_deck("red")
    felt.tell(person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True))
    felt.tell(card.ShoeLoaded(device="shoe-1"))
    assert mapped(felt) == [("blue", False, ONE_OF_SEVERAL)]


def test_a_stack_that_comes_where_no_round_is_on_takes_all_its_cards_with_it(felt: Felt) -> None:
    felt.change_deck("red")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert felt.state.round is None
    felt.deal(7)
    assert places(felt, "red") == {"shoe": 46, "table": 7}


def test_counted_cards_that_are_put_back_come_from_the_rack_first_and_then_from_the_table() -> None:
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), csm_1="continuous-shuffler")
    felt.tell(card.CardsReturned(device="csm-1", count=104))
    felt.tell(*(card.CardDrawn(device="csm-1", face_up=number < 5) for number in range(15)))
    assert places(felt, "red") == {"shuffler": 89, "table": 10, "discard": 5}
    felt.tell(card.CardsReturned(device="csm-1", count=7))
    assert places(felt, "red") == {"shuffler": 96, "table": 8}
    felt.tell(card.CardsReturned(device="csm-1", count=0))
    assert places(felt, "red") == {"shuffler": 96, "table": 8}


def test_what_is_left_of_a_deck_dealt_by_hand_goes_to_the_rack_with_its_round(felt: Felt) -> None:
    felt.start()
    felt.connect()
    felt.change_deck("red")
    felt.tell(person.MethodChosen(by=FLOOR, shuffle="hand", deal="hand", start="shaker"))
    felt.tell(person.RoundEnded(by=FLOOR))
    assert places(felt, "red") == {"hand": 53}
    felt.report("deck-shuffled", deck="red")
    felt.tell(person.TableOpened(by=FLOOR), person.BetsClosed(by=FLOOR))
    felt.report("cards-dealt", deck="red")
    assert places(felt, "red") == {"hand": 4, "table": 49}
    felt.command(commands.CountCards(deck="red", count=4, part="remaining"))
    felt.command(commands.RoundEnd())
    assert places(felt, "red") == {"discard": 53}


def single_cards(*drawn: card.CardDrawn) -> Felt:
    """A table where cards come one by one, these among them."""
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    felt.report("seats-playing", seats=(2,))
    felt.tell(*drawn)
    return felt


DOWN = card.CardDrawn(device="shoe-1", face_up=False)
UP = card.CardDrawn(device="shoe-1", face_up=True)
FACE_UP = person.Reported(by=FLOOR, report="card-face-up")


def test_a_card_face_up_that_only_people_saw_goes_from_the_table_to_the_rack() -> None:
    felt = single_cards(DOWN, DOWN)
    felt.report("nothing-new")
    assert places(felt, "red") == {"shoe": 102, "table": 2}
    felt.tell(FACE_UP)
    assert places(felt, "red") == {"shoe": 102, "table": 1, "discard": 1}


def test_a_card_face_up_that_the_shoe_told_lies_in_the_rack_already() -> None:
    felt = single_cards(DOWN, DOWN, UP)
    felt.tell(FACE_UP)
    assert places(felt, "red") == {"shoe": 101, "table": 2, "discard": 1}


def test_a_card_face_up_where_no_round_is_on_moves_nothing(felt: Felt) -> None:
    felt.change_deck("red")
    felt.tell(FACE_UP)
    assert places(felt, "red") == {"hand": 53}


def test_a_device_that_is_heard_for_the_first_time_has_no_deck(felt: Felt) -> None:
    felt.tell(connected("shuffler-1"), device.DeviceDrained(device="shuffler-1", upto=0))
    assert (felt.state.devices["shuffler-1"].deck, felt.state.devices["shuffler-1"].batch) == ("", None)


def test_a_deck_that_left_the_shoe_before_its_round_began_is_not_put_in_before_one_at_hand() -> None:
    pack = parse_pack(SINGLES)
    decks = {"red": "red", "blue": "blue"}
    felt = Felt(pack, set_up(pack, table="t-1", devices={"shoe-1": "shoe"}, decks=decks))
    felt.start()
    felt.connect()
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True), person.TableOpened(by=FLOOR))
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104), card.ShoeUnloaded(device="shoe-1", count=104))
    assert (felt.round.deck, places(felt, "red")) == ("red", {"discard": 104})
    felt.tell(person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True), card.ShoeLoaded(device="shoe-1"))
    assert mapped(felt)[-1] == ("blue", True, "the only deck at hand")


def test_637a_21_h_a_shoe_that_runs_dry_is_filled_from_the_rack_though_the_other_deck_lies_ready() -> None:
    felt = opened_game("637a", MANUAL)
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    assert places(felt, "blue") == {"hand": 52}
    felt.bets()
    felt.hand_out()
    felt.report("first-draw")
    felt.draw(felt.total - felt.round.cards - felt.round.face_up)
    felt.tell(card.ShoeEmptied(device="shoe-1"))
    felt.tell(card.ShoeLoaded(device="shoe-1", count=8))
    assert mapped(felt)[-1][0] == "red"
    assert places(felt, "red") == {"shoe": 8, "table": 44}


def test_a_shoe_that_is_found_empty_before_the_deal_is_filled_with_any_deck_at_hand() -> None:
    felt = opened_game("637a", MANUAL)
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    felt.tell(card.ShoeEmptied(device="shoe-1"))
    assert (places(felt, "red"), places(felt, "blue")) == ({"hand": 52}, {"hand": 52})
    felt.command(commands.Order(what="shuffle", deck="red"))
    felt.tell(card.ShoeLoaded(device="shoe-1", count=52))
    assert (places(felt, "red"), places(felt, "blue")) == ({"hand": 52}, {"shoe": 52})


def test_a_shoe_that_gave_its_last_card_to_a_hand_is_filled_with_the_other_deck(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7, 7, 7, 7, 7, 7, 7, 4)
    opened.tell(card.ShoeEmptied(device="shoe-1"))
    opened.to_shoe()
    assert (places(opened, "red"), places(opened, "blue")) == ({"table": 53}, {"shoe": 53})


def test_of_two_decks_that_people_shuffled_the_one_that_nothing_holds_is_put_into_the_shoe() -> None:
    felt = Felt(setup=setup_of(method={"shuffle": "hand", "deal": "automated-shoe", "start": "shaker"}))
    felt.change_deck("red", "blue")
    for name in ("red", "blue"):
        felt.report("deck-shuffled", deck=name)
    other = felt.twin()
    felt.command(commands.Order(what="shuffle", deck="red"))
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert mapped(felt) == [("blue", False, ONE_OF_SEVERAL)]
    other.command(commands.Order(what="shuffle", deck="blue"))
    other.tell(card.ShoeLoaded(device="shoe-1", count=53))
    assert mapped(other) == [("red", False, ONE_OF_SEVERAL)]


def test_a_shoe_that_is_emptied_is_empty_of_every_deck_that_was_put_in() -> None:
    felt = Felt(setup=setup_of(method={"shuffle": "hand", "deal": "automated-shoe", "start": "shaker"}))
    felt.change_deck("red", "blue")
    # Nobody heard that the first one was taken out.
    felt.tell(card.ShoeLoaded(device="shoe-1", count=53), card.ShoeLoaded(device="shoe-1", count=53))
    assert (places(felt, "red"), places(felt, "blue")) == ({"shoe": 53}, {"shoe": 53})
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=53))
    assert (places(felt, "red"), places(felt, "blue")) == ({"hand": 53}, {"hand": 53})
