"""Documents lead somewhere, and nobody has to know that a page is there to find it."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<(?:img|source)[^>]*\b(?:src|srcset)=\"([^\"]+)\"")
FENCE = re.compile(r"^(```|~~~).*?^\1", flags=re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")


def pages(tracked: list[Path]) -> list[Path]:
    """Choose the documents."""
    return [path for path in tracked if path.suffix == ".md"]


def links(text: str) -> list[str]:
    """Find where a document leads, outside its examples."""
    prose = CODE.sub("", FENCE.sub("", text))
    return [one or other for one, other in LINK.findall(prose)]


def anchors(text: str) -> set[str]:
    """Make the anchors of a document's headings, as the forges do."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere(tracked: list[Path], root: Path) -> None:
    lost: list[str] = []
    for page in pages(tracked):
        for link in links(page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or root not in (target, *target.parents):
                lost.append(f"{page.relative_to(root)}: {link}")
            elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
                lost.append(f"{page.relative_to(root)}: no heading for {link}")
    assert lost == []


def test_the_index_names_every_page(tracked: list[Path], root: Path) -> None:
    index = root / "docs" / "README.md"
    named = {(index.parent / link.partition("#")[0]).resolve() for link in links(index.read_text("utf-8"))}
    unnamed = [
        str(page.relative_to(root))
        for page in pages(tracked)
        if page.is_relative_to(root / "docs") and page != index and page not in named
    ]
    assert unnamed == []


def test_every_picture_is_whole_and_used(tracked: list[Path], root: Path) -> None:
    pictures = [path for path in tracked if path.suffix == ".svg"]
    shown = {
        (page.parent / link).resolve()
        for page in pages(tracked)
        for link in re.findall(r"[\w./-]+\.svg", page.read_text(encoding="utf-8"))
    }
    assert pictures
    for picture in pictures:
        assert ET.parse(picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own file
    assert [str(path.relative_to(root)) for path in pictures if path not in shown] == []


def test_links_and_anchors_are_read_as_meant() -> None:
    text = "# A `b` c, d\n[x](y.md#z) `[no](no.md)`\n```\n[no](no.md)\n# no\n```\n![p](q.svg)\n"
    assert links(text) == ["y.md#z", "q.svg"]
    assert anchors(text) == {"a-b-c-d"}
