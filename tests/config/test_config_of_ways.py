"""Ways to shuffle, to deal and to begin that do not fit each other: told when the configuration is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from felt_daemon.config import ConfigError, parse
from felt_daemon.setup import pack_of, setup_of

EXAMPLE = (Path(__file__).parents[2] / "examples" / "asia-poker.toml").read_text(encoding="utf-8")


def with_elections(**answers: str) -> bytes:
    """The example of Asia Poker with these ways elected."""
    lines = "".join(f'{name} = "{answer}"\n' for name, answer in answers.items())
    head, _, rest = EXAMPLE.partition("[elections]\n")
    kept = [line for line in rest.splitlines() if line.partition(" =")[0] not in answers]
    return (head + "[elections]\n" + lines + "\n".join(kept) + "\n").encode()


def test_the_button_is_refused_where_no_automated_shoe_deals() -> None:
    with pytest.raises(ConfigError) as refusal:
        parse(with_elections(start="button", deal="manual-shoe"), "table.toml")
    (problem,) = refusal.value.problems
    assert problem.key == "elections.start"
    assert problem.text == (
        "button does not fit: the button is for tables where a device shuffles and an automated shoe"
        " deals (659a.5(g)(3))"
    )


def test_the_button_fits_a_table_with_shuffler_and_automated_shoe() -> None:
    assert parse(with_elections(start="button"), "table.toml").elections["start"] == "button"


@pytest.mark.parametrize(("answers", "way"), [({}, "device"), ({"shuffle": "hand"}, "hand")])
def test_659a_5_a_cards_are_shuffled_in_the_way_that_the_house_elects(
    answers: dict[str, str], way: str
) -> None:
    config = parse(with_elections(**answers), "table.toml")
    assert setup_of(config, pack_of(config)).method["shuffle"] == way
