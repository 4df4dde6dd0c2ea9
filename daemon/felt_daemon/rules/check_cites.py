"""What a pack cites: subsections of its own chapter, in sections that its [text] lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules.text import citations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack


def citation_breaches(pack: Pack) -> Iterator[str]:
    """Every citation that no text of this chapter can be held against."""
    chapter = pack.source.chapter
    for section in pack.text:
        if not section.startswith(f"{chapter}."):
            yield f"[text] {section}: it is of another chapter; this pack is {chapter}"
    cited = {cite: f"{kind} {name}" for cite, kind, name in citations(pack)}
    if cited and not pack.text:
        first = _section(min(cited))
        yield (
            "[text]: it lists no section, so that nothing holds what is cited;"
            f' write [text."{first}"] with its title and its subsections'
        )
        return
    for cite, by in cited.items():
        if not cite.startswith(f"{chapter}."):
            yield f"{cite}: {by} cites it, and it is of another chapter; cite {chapter}, or nothing"
        elif _section(cite) not in pack.text:
            yield (
                f"{cite}: {by} cites it, and [text] lists no section {_section(cite)};"
                f" it lists {', '.join(pack.text)}"
            )


def _section(cite: str) -> str:
    return cite.partition("(")[0]
