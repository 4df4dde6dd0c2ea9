"""What every part of a pack is made of: a closed, immutable model, and the words that it may hold."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf

from felt_daemon.rules.condition import Condition, parse

# What a line of a dealer's panel holds.
Brief = Annotated[str, Field(min_length=1, max_length=40)]
Words = Annotated[str, Field(min_length=1, max_length=400)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
# A constant's or a note's name, as conditions write it.
Variable = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$")]
Citation = Annotated[str, Field(pattern=r"^\d{3}a\.\d{1,2}(\([a-z0-9]+\))*$")]
Phase = str


def _parsed(value: Any) -> Any:  # noqa: ANN401 - a validator sees what the file holds
    return parse(value) if isinstance(value, str) else value


When = Annotated[InstanceOf[Condition], BeforeValidator(_parsed)]


class Part(BaseModel):
    """A closed, immutable part of a pack."""

    model_config = ConfigDict(frozen=True, extra="forbid")
