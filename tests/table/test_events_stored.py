"""Events as the journal keeps them: named, closed, and with what is private kept apart."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import ValidationError

from felt_protocols.errors import DeviceFault, FeltError, LinkLost, UnknownEvent
from felt_protocols.events import EVENTS, KINDS, Fact, bodies, canonical, card, deck, restored
from felt_protocols.events.core import published


def test_an_event_has_one_name_everywhere() -> None:
    assert deck.ShuffleCompleted.what() == "shuffle-completed"
    assert deck.ShuffleCompleted.type_name() == "felt.deck.shuffle-completed.v1"
    assert EVENTS["shuffle-completed"] is deck.ShuffleCompleted


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_every_event_is_of_a_known_kind_and_says_what_it_is(name: str) -> None:
    event = EVENTS[name]
    assert event.kind in KINDS
    assert event.type_name() == f"felt.{event.kind}.{name}.v1"
    assert event.__doc__
    assert event.private <= set(event.model_fields)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)


def test_two_events_cannot_have_one_name() -> None:
    class ShuffleCompleted(Fact):
        """Another one of that name."""

    with pytest.raises(ValueError, match=r"^two events are called shuffle-completed$"):
        published(ShuffleCompleted)


def test_composition_stays_in_the_private_body_and_comes_back() -> None:
    event = deck.ShuffleCompleted(
        device="shuffler-1", batch=7, mode="shuffle", count=53, composition={"red": {"KS": 1}}
    )
    public, private = bodies(event, {"round": 3, "deck": "red"})
    assert public == (
        b'{"batch":7,"context":{"deck":"red","round":3},"count":53,"device":"shuffler-1","mode":"shuffle"}'
    )
    assert private == b'{"composition":{"red":{"KS":1}}}'
    assert restored("shuffle-completed", 1, public, private) == (event, {"round": 3, "deck": "red"})


def test_an_event_without_context_or_secret_is_its_fields_alone() -> None:
    event = card.ShoeEmptied(device="shoe-1", n=4)
    assert bodies(event, {}) == (b'{"device":"shoe-1","n":4}', b"{}")
    assert restored("shoe-emptied", 1, b'{"device":"shoe-1","n":4}', b"{}") == (event, {})


def test_canonical_json_has_sorted_keys_no_spaces_and_plain_letters() -> None:
    assert canonical({"b": 1, "a": "Tür"}) == '{"a":"Tür","b":1}'.encode()


def test_an_event_of_another_release_is_told_by_name_and_version() -> None:
    with pytest.raises(
        UnknownEvent, match=r"^the journal holds shuffle-forgotten v1, which this release does not know$"
    ):
        restored("shuffle-forgotten", 1, b"{}", b"{}")


def test_a_face_down_card_has_no_name() -> None:
    assert card.CardDrawn(device="shoe-1", face_up=False).rank is None
    assert card.CardDrawn(device="shoe-1", face_up=True, rank="K", suit="spades").rank == "K"
    for secret in ({"rank": "K"}, {"suit": "spades"}):
        with pytest.raises(ValidationError, match="a face-down card's rank and suit stay in the driver"):
            card.CardDrawn.model_validate({"device": "shoe-1", "face_up": False, **secret})


@pytest.mark.parametrize(
    "fields",
    [
        {"device": "Shoe 1", "size": 7},
        {"device": "shoe-1", "size": -1},
        {"device": "shoe-1", "size": "7"},
        {"device": "shoe-1", "size": 7, "colour": "red"},
        {"device": "shoe-1", "size": 7, "n": 0},
    ],
)
def test_what_is_not_of_its_form_is_no_event(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        card.StackDispensed.model_validate(fields)


def test_an_event_cannot_be_changed() -> None:
    event = card.ShoeEmptied(device="shoe-1")
    with pytest.raises(ValidationError, match="frozen"):
        setattr(event, "device", "shoe-2")  # noqa: B010 - the type checkers see the other way


def test_errors_carry_their_evidence() -> None:
    fault = DeviceFault("shoe-1", "its PING is not answered")
    assert (str(fault), fault.device, fault.why) == (
        "shoe-1: its PING is not answered",
        "shoe-1",
        "its PING is not answered",
    )
    assert (str(LinkLost("silent")), LinkLost("silent").evidence) == ("silent", "")
    lost = LinkLost("hung up", "read 0 bytes")
    assert (str(lost), lost.why, lost.evidence) == ("hung up: read 0 bytes", "hung up", "read 0 bytes")
    assert isinstance(fault, FeltError)
    assert isinstance(lost, FeltError)


def test_every_public_body_is_an_object() -> None:
    assert json.loads(bodies(card.ShoeEmptied(device="shoe-1"), {})[0]) == {"device": "shoe-1"}
