"""What rounds are noted for, what recognising devices make of a deck, and cards in a shuffler without end."""

from __future__ import annotations

import pytest

from felt_daemon.rules import Pack, load
from felt_daemon.rules.library import parse_pack
from felt_daemon.table import picture
from felt_daemon.table.setting_up import number, set_up, ways_of
from felt_protocols import commands
from felt_protocols.events import Fact, card, deck, person, reader
from felt_protocols.events import round as rounds

from .any_game import ANSWERS
from .felt import DEALER, FLOOR, PACK, Felt
from .small_games import SINGLES, STACKS, end_round, open_small, said

INSERTED = reader.HoleCardInserted(device="reader-1")
# Two packs of 48, a joker each.
WHOLE = {rank + suit: 2 for rank in "A23456789JQK" for suit in "CDHS"} | {"JK": 2}


def read(composition: dict[str, dict[str, int]] | None, count: int | None = 98) -> list[Fact]:
    """What a shuffler tells that shuffles the deck and recognises it."""
    return [
        deck.DeckLoaded(device="shuffler-1", batch=1),
        deck.ShuffleStarted(device="shuffler-1", batch=1),
        deck.ShuffleCompleted(
            device="shuffler-1", batch=1, mode="shuffle", count=count, composition=composition
        ),
    ]


def recognised(composition: dict[str, dict[str, int]] | None) -> Felt:
    """A table whose shuffler has read the deck so."""
    felt = open_small(SINGLES, shuffler_1="shuffler")
    felt.tell(*read(composition))
    return felt


# ---- notes -------------------------------------------------------------------------------------------------


def test_a_note_is_set_once_by_what_a_device_tells_and_is_gone_with_its_round() -> None:
    felt = open_small(SINGLES, reader_1="hole-card-reader", shoe_1="shoe")
    assert said(felt, "peeked", INSERTED) is None
    felt.tell(INSERTED, INSERTED)
    assert [(one.round, one.name, one.value) for one in felt.of(rounds.RoundNoted)] == [(1, "peeked", "yes")]
    assert said(felt, "peeked", INSERTED) == "yes"
    felt.tell(card.ShoeLoaded(device="shoe-1"), card.CardDrawn(device="shoe-1", face_up=False))
    felt.tell(card.CardDrawn(device="shoe-1", face_up=False))
    end_round(felt)
    assert (felt.round.number, said(felt, "peeked", INSERTED)) == (2, None)


def test_a_note_is_set_by_a_report() -> None:
    felt = open_small(SINGLES, reader_1="hole-card-reader")
    felt.report("up-card-ace")
    assert felt.round.notes == {"up_card": "ace"}


def test_a_shoe_that_knows_the_game_shows_the_dealers_card() -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    ace = card.CardDrawn(device="shoe-1", face_up=False, shown=True, rank="A", suit="spades")
    felt.report("seats-playing", seats=(2,))
    felt.tell(ace)
    assert felt.round.notes == {"up_card": "ace"}
    other = open_small(SINGLES, shoe_1="shoe")
    other.report("seats-playing", seats=(2,))
    other.tell(card.CardDrawn(device="shoe-1", face_up=False), ace)
    assert other.round.notes == {}


def test_nothing_is_noted_where_no_round_is_on() -> None:
    felt = open_small(SINGLES, reader_1="hole-card-reader")
    felt.command(commands.CloseTable())
    felt.tell(INSERTED)
    assert felt.of(rounds.RoundNoted) == []
    assert said(felt, "peeked", INSERTED) is None


def test_a_reader_is_permitted_in_the_middle_of_the_round_and_closed_at_its_end() -> None:
    felt = open_small(SINGLES, reader_1="hole-card-reader", shoe_1="shoe")
    assert felt.permits("reader-1") == []
    felt.tell(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(5)))
    felt.report("up-card-ace")
    assert felt.permits("reader-1") == [{}]
    shown = picture(felt.pack, felt.state)["state"]["round"]
    assert (shown["noted"], shown["next"], shown["seats"]) == ({"up_card": "ace"}, None, None)


# ---- compositions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "missing", "extra"),
    [({}, 0, 0), ({"AC": 1}, 1, 0), ({"AC": 3}, 0, 1), ({"TC": 1, "KD": 0}, 2, 1)],
)
def test_a_deck_is_held_against_what_the_game_wants(
    changes: dict[str, int], missing: int, extra: int
) -> None:
    felt = recognised({"red": {**WHOLE, **changes}})
    assert felt.of(deck.CompositionJudged) == [
        deck.CompositionJudged(deck="red", right=not changes, missing=missing, extra=extra)
    ]
    assert felt.state.decks["red"].composition == ("wrong" if changes else "verified")


def test_a_card_with_another_back_is_told_although_the_count_and_the_cards_are_right() -> None:
    felt = recognised({"red": {**WHOLE, "AC": 1}, "blue": {"AC": 1}})
    assert felt.of(deck.CompositionJudged) == [deck.CompositionJudged(deck="red", right=False, foreign=1)]
    fact = deck.DeckUnloaded(device="shuffler-1", batch=1)
    assert (said(felt, "deck_composition", fact), said(felt, "deck_foreign", fact)) == ("wrong", 1)
    assert said(felt, "deck_missing", fact) == 104 - 98


def test_a_later_shuffle_that_recognises_nothing_verifies_nothing() -> None:
    felt = recognised({"red": WHOLE})
    felt.tell(*read(None, count=None))
    about = felt.state.decks["red"]
    assert (about.composition, about.foreign, about.count) == ("not verified", 0, "wrong")


def test_a_jam_takes_back_what_was_recognised() -> None:
    felt = recognised({"red": WHOLE})
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=1, why="jam"))
    assert felt.state.decks["red"].composition == "not verified"


def test_a_game_that_does_not_say_what_its_deck_is_judges_none() -> None:
    felt = open_small(STACKS, shuffler_1="shuffler")
    felt.tell(*read({"red": {"AC": 1}}))
    assert felt.of(deck.CompositionJudged) == []


def test_what_nobody_knows_to_be_a_deck_is_not_judged() -> None:
    felt = open_small(SINGLES, shuffler_1="shuffler")
    felt.tell(read({"red": WHOLE})[-1])
    strange = deck.ShuffleCompleted(device="shuffler-9", batch=1, mode="shuffle", composition={"red": WHOLE})
    felt.tell(strange)
    assert felt.of(deck.CompositionJudged) == []


def test_a_composition_is_never_public() -> None:
    assert deck.ShuffleCompleted.private == {"composition"}
    assert not deck.CompositionJudged.private


# ---- a shuffler without end --------------------------------------------------------------------------------


def continuous() -> Felt:
    """A continuous shuffler with the whole deck inside."""
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), csm_1="continuous-shuffler")
    felt.tell(card.CardsReturned(device="csm-1", count=104))
    return felt


def places(felt: Felt) -> dict[str, int]:
    """Where the cards are, empty places left out."""
    return {place: count for place, count in felt.state.decks["red"].places.items() if count}


def test_cards_leave_a_continuous_shuffler_and_come_back_and_are_always_its_total() -> None:
    felt = continuous()
    assert (places(felt), felt.state.decks["red"].shuffled) == ({"shuffler": 104}, True)
    felt.tell(*(card.CardDrawn(device="csm-1", face_up=False) for _ in range(6)))
    assert places(felt) == {"shuffler": 98, "table": 6}
    inside = deck.InsideCounted(device="csm-1", count=97)
    assert said(felt, "inside_due", inside) == 98
    felt.tell(card.CardsReturned(device="csm-1", count=2))
    assert places(felt) == {"shuffler": 100, "table": 4}
    end_round(felt)
    felt.tell(card.CardsReturned(device="csm-1"))
    assert places(felt) == {"shuffler": 104}


def test_cards_that_are_put_back_uncounted_are_those_of_the_rack_and_the_hand() -> None:
    felt = continuous()
    felt.tell(*(card.CardDrawn(device="csm-1", face_up=False) for _ in range(3)))
    felt.tell(card.CardDrawn(device="csm-1", face_up=True, rank="K", suit="clubs"))
    assert places(felt) == {"shuffler": 100, "table": 3, "discard": 1}
    felt.tell(card.CardsReturned(device="csm-1"))
    assert places(felt) == {"shuffler": 101, "table": 3}


def test_a_continuous_shuffler_that_is_emptied_has_what_it_did_not_count_out() -> None:
    felt = continuous()
    felt.tell(card.ShoeUnloaded(device="csm-1", count=100))
    assert (places(felt), felt.state.decks["red"].shuffled) == ({"hand": 100, "shuffler": 4}, False)
    felt.tell(card.ShoeUnloaded(device="csm-1"))
    assert places(felt) == {"hand": 104}


def test_cards_of_no_deck_are_put_nowhere() -> None:
    felt = open_small(SINGLES, csm_1="continuous-shuffler")
    felt.tell(*(card.CardsReturned(device="csm-1", count=0) for _ in range(2)))
    assert places(felt) == {"hand": 104}
    bare = Felt(felt.pack, felt.setup)
    bare.start()
    bare.tell(card.CardsReturned(device="csm-1", count=5), card.CardDrawn(device="csm-9", face_up=False))
    assert places(bare) == {"withdrawn": 104}
    assert said(bare, "inside_due", INSERTED) is None


# ---- a shoe of many rounds ---------------------------------------------------------------------------------


def test_a_shoe_of_many_rounds_stays_shuffled_until_it_is_taken_out() -> None:
    felt = open_small(SINGLES.replace("new_shoe = true, ", ""), shoe_1="shoe")
    felt.tell(card.ShoeLoaded(device="shoe-1", count=104))
    felt.tell(*(card.CardDrawn(device="shoe-1", face_up=False) for _ in range(4)))
    end_round(felt)
    assert (places(felt), felt.state.decks["red"].shuffled) == ({"shoe": 100, "discard": 4}, True)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=100))
    assert (places(felt), felt.state.decks["red"].shuffled) == ({"discard": 104}, False)


def test_an_empty_shoe_that_is_taken_out_moves_nothing() -> None:
    felt = open_small(SINGLES, shoe_1="shoe")
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=0))
    assert places(felt) == {"hand": 104}


# ---- counts of rounds --------------------------------------------------------------------------------------


def test_rounds_are_counted_since_cards_were_last_counted() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    for _ in range(3):
        felt.tell(card.StackDispensed(device="shoe-1", size=2))
        end_round(felt)
    assert said(felt, "rounds_since_count", INSERTED) == 3
    felt.tell(person.DeckCounted(by=DEALER, deck="red", count=12, part="deck"))
    assert said(felt, "rounds_since_count", INSERTED) == 0


def test_what_must_be_left_is_the_deck_without_what_was_dealt_and_withdrawn() -> None:
    felt = open_small(STACKS, shoe_1="shoe")
    assert said(felt, "left_due", INSERTED) is None
    felt.tell(card.ShoeLoaded(device="shoe-1", count=12))
    felt.tell(*(card.StackDispensed(device="shoe-1", size=2) for _ in range(2)))
    assert said(felt, "left_due", INSERTED) == 8
    felt.tell(person.CardWithdrawn(by=FLOOR, deck="red", place="table", why="torn"))
    assert said(felt, "left_due", INSERTED) == 7


def test_a_pack_whose_numbers_are_words_sets_up_no_table() -> None:
    with pytest.raises(TypeError, match="the pack's positions is no number"):
        number(parse_pack(STACKS.replace("positions = 3", "positions = 'three'")), "positions")


def test_a_pack_without_ways_sets_up_a_table_that_goes_none() -> None:
    bare = PACK.model_copy(update={"methods": None})
    setup = set_up(bare, table="t-1", devices={}, decks={"red": "red"})
    assert (setup.method, setup.game, setup.deck_total) == ({}, "659a", 53)
    assert ways_of(bare, {"deal": "hand"}) == {}
    assert ways_of(PACK, {"deal": "hand"})["deal"] == "hand"
    assert set_up(PACK, table="t-1", devices={}, decks={}, method={"deal": "hand"}).method == {"deal": "hand"}


def test_the_number_of_packs_in_a_deck_may_be_a_constant() -> None:
    text = SINGLES.replace("packs = 2,", "packs = 'packs',").replace(
        "positions = 3,", "positions = 3, packs = 6,"
    )
    setup = set_up(parse_pack(text), table="t-1", devices={}, decks={})
    assert (setup.composition["AC"], setup.composition["JK"], "TC" in setup.composition) == (6, 6, False)
    no_joker = SINGLES.replace(", jokers = 1", "")
    assert "JK" not in set_up(parse_pack(no_joker), table="t-1", devices={}, decks={}).composition


@pytest.mark.parametrize(
    ("pack", "from_the_rack"),
    [
        # Every hand is dealt from one deck, which has enough for them.
        (PACK, False),
        # 637a.21(h): a draw goes on from the discards, though each round has its own shuffle.
        (load("637a", ANSWERS["637a"]), True),
        # Many rounds are dealt from one shoe, whose last one may have too few.
        (parse_pack(SINGLES), True),
    ],
)
def test_a_round_that_runs_out_goes_on_from_the_rack_where_the_game_says_so(
    pack: Pack,
    from_the_rack: bool,  # noqa: FBT001 - a case
) -> None:
    assert set_up(pack, table="t-1", devices={}, decks={}).rack_dealt is from_the_rack


def test_the_clocks_of_a_deck_are_those_that_begin_when_it_comes() -> None:
    setup = set_up(PACK, table="t-1", devices={}, decks={})
    assert setup.deck_clocks == {"deck-age", "deck-age-by-hand"}
