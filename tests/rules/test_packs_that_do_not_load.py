"""A pack that does not load: where and why is told, of each mistake in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.library import BadPack, parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Spoilt = Callable[[str, str], str]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "families = [",
            "families [",
            "not TOML: Expected '=' after a key in a key/value pair (at line 3, column 10)",
        ),
        (
            'cite = ["999a.7(b)"]\n',
            "",
            'rules.short-pile: Value error, short-pile: cite the subsection, or say basis = "own"',
        ),
        (
            'id = "jam"\nbasis = "own"\n',
            'id = "jam"\nbasis = "own"\ncite = ["999a.7(c)"]\n',
            "rules.jam: Value error, jam: a rule of our own cites nothing",
        ),
        ('id = "jam"', 'id = "sorted"', "rules: Value error, two rules are called sorted"),
        ('id = "jam"', 'id = "Jam"', "rules.Jam.id: String should match pattern '^[a-z][a-z0-9-]*$'"),
        (
            "size < hand_cards",
            "size is small",
            (
                "rules.short-pile.when.[1]: Value error, 'size is small' is no condition; "
                'write it like "size != hand_cards"'
            ),
        ),
        (
            "when = [\"mode == 'sort'\", \"phase in ('betting', 'none')\"]",
            "when = [1]",
            "rules.sorted.when.[1]: Input should be an instance of Condition",
        ),
        (
            "999a.5(a)",
            "rule five",
            (
                "rules.sorted.cite.[1]: String should match pattern "
                r"'^\d{3}a\.\d{1,2}(\([a-z0-9]+\))*$'"
            ),
        ),
        (
            'says = "The deck was sorted."',
            'says = ""',
            "rules.sorted.says: String should have at least 1 character",
        ),
        ("void = true", "voids = true", "rules.short-pile.voids: Extra inputs are not permitted"),
        (
            "[constants]",
            "[start]\nmin_shakes = 0\npositions = 3\ndice = 0\ncite = []\n\n[constants]",
            "start.dice: Input should be greater than or equal to 1",
        ),
        ("hours = 4", "hours = 0", "clocks.deck-age.hours: Input should be greater than or equal to 1"),
        ('chapter = "999a"', 'chapter = "999"', r"source.chapter: String should match pattern '^\d{3}a$'"),
        ("since = 2030-01-01\n\n[constants]", "\n[constants]", "source.since: Field required"),
        (
            'ends = [{ on = ["shuffle-completed"] }]',
            "ends = []",
            "rules.jam.holds.[1].ends: Tuple should have at least 1 item after validation, not 0",
        ),
    ],
)
def test_a_pack_that_does_not_load_says_where_and_why(spoilt: Spoilt, old: str, new: str, said: str) -> None:
    with pytest.raises(BadPack) as refusal:
        parse_pack(spoilt(old, new))
    assert said in str(refusal.value).splitlines()


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("", "Field required"),
        ('since = "soon"', "Input should be a valid date or datetime, input is too short"),
    ],
)
def test_a_date_that_every_rule_has_from_the_source_is_told_once(
    spoilt: Spoilt, since: str, said: str
) -> None:
    pack = spoilt("since = 2030-01-01\n\n[constants]", f"{since}\n[constants]")
    of_the_source = pack.replace("since = 2030-01-01\n", "")
    with pytest.raises(BadPack) as refusal:
        parse_pack(of_the_source)
    assert str(refusal.value).splitlines() == [f"source.since: {said}"]
    # Whatever else is wrong with a rule is told all the same.
    with pytest.raises(BadPack) as refusal:
        parse_pack(of_the_source.replace("void = true", "voids = true"))
    assert str(refusal.value).splitlines() == [
        f"source.since: {said}",
        "rules.short-pile.voids: Extra inputs are not permitted",
    ]


def test_a_date_of_a_rules_own_is_told_of_the_rule(spoilt: Spoilt) -> None:
    own = 'id = "jam"\nbasis = "own"\nsince = '
    with pytest.raises(BadPack) as refusal:
        parse_pack(spoilt(f"{own}2030-01-01", f'{own}"soon"'))
    assert str(refusal.value).splitlines() == [
        "rules.jam.since: Input should be a valid date or datetime, input is too short"
    ]


def test_a_row_without_a_name_is_counted_from_one(spoilt: Spoilt) -> None:
    pack = spoilt('id = "jam"\n', "").replace('to = "dealing"', "to = 7", 1)
    with pytest.raises(BadPack) as refusal:
        parse_pack(f"rulez = 1\n{pack}")
    assert set(str(refusal.value).splitlines()) >= {
        "rules.[3].id: Field required",
        "rulez: Extra inputs are not permitted",
    }


def test_every_mistake_of_a_pack_is_told_at_once(spoilt: Spoilt) -> None:
    with pytest.raises(BadPack) as refusal:
        parse_pack(spoilt("hours = 4", "hours = 0").replace("void = true", "voids = true"))
    assert len(str(refusal.value).splitlines()) == 2


def test_nothing_at_all_is_no_pack() -> None:
    with pytest.raises(BadPack, match="source: Field required"):
        parse_pack("")
