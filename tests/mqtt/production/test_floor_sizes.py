"""docs/floor.md, "Sizing for 500 tables": what it computes is right, and its commands are some."""

from __future__ import annotations

import re
import shlex
from math import prod
from pathlib import Path

import pytest

from felt_simulators.cli import main

from .conftest import PAGE

# As the page writes products.
TIMES = "\N{MULTIPLICATION SIGN}"
ROOT = Path(__file__).parents[3]
SIZES = PAGE.partition("## Sizing for 500 tables")[2]


def number(text: str) -> float:
    """A number as the page writes it."""
    return float(text.replace(",", "").strip())


def test_every_product_of_the_page_is_right() -> None:
    pattern = rf"((?:[\d,.]+ {TIMES} )+[\d,.]+)(?: bytes)? = ([\d,.]+)( million| MB)?"
    products = re.findall(pattern, SIZES)
    assert len(products) >= 4
    for factors, result, unit in products:
        exact = prod(number(factor) for factor in factors.split(TIMES))
        assert exact / (1e6 if unit else 1) == pytest.approx(number(result.rstrip(".")), rel=0.05), factors


def test_the_messages_add_up() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \| ([\d,]+) \|$", SIZES, flags=re.MULTILINE)
    *parts, sums = [tuple(map(number, row)) for row in rows]
    assert len(parts) == 4
    assert tuple(map(sum, zip(*parts, strict=True))) == sums
    planned = re.search(r"comes: ([\d,]+) in and ([\d,]+) out", SIZES)
    assert planned is not None
    for average, most in zip(sums, planned.groups(), strict=True):
        assert 8 * average == pytest.approx(number(most), rel=0.05)


def test_every_command_of_the_page_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    # The commands of the chapter about clusters, too.
    trials = re.findall(r"^felt-sim (floor .*)$|`felt-sim (floor [^`]*)`", PAGE, flags=re.MULTILINE)
    assert len(trials) >= 2
    for words in trials:
        with pytest.raises(SystemExit) as end:
            main([*shlex.split("".join(words)), "--help"])
        assert end.value.code == 0, capsys.readouterr().err
    programs = re.findall(r"`python (benchmarks/\w+\.py)`", SIZES)
    assert len(programs) >= 2
    assert [program for program in programs if not (ROOT / program).is_file()] == []
