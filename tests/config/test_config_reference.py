"""The reference of all keys is the one that the models say."""

from __future__ import annotations

from pathlib import Path

from felt_daemon.config import schema
from felt_daemon.config.fields import expected
from felt_daemon.config.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


def test_the_page_of_all_keys_is_the_one_written_from_the_models() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference()


def test_every_key_says_what_it_is_for_and_what_is_right() -> None:
    for table, model in schema.tables({}):
        for name, field in model.model_fields.items():
            if isinstance(schema.node(field), schema.Setting):
                assert field.description, (table, name)
                assert field.description.endswith("."), (table, name)
                assert expected(field).words, (table, name)
