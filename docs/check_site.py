"""Check the built site: links resolve, nothing is loaded from other hosts, pictures have text alternatives.

python docs/check_site.py docs/_build/html
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that a browser loads by itself; links to other sites are allowed.
LOADED = {"script", "link", "img", "iframe", "source", "video", "audio"}


class Page(HTMLParser):
    """Anchors, link targets and pictures without text alternative of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: set[tuple[str, str]] = set()
        self.wordless: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {name for name in (given.get("id"), given.get("name")) if name}
        self.targets |= {(tag, target) for target in (given.get("href"), given.get("src")) if target}
        if tag == "img" and not given.get("alt"):
            self.wordless.append(given.get("src") or "")


def find_site_problems(root: Path) -> list[str]:
    files = [path for path in root.rglob("*.html") if "_static" not in path.relative_to(root).parts]
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in files}
    return sorted(
        f"{path.relative_to(root.resolve())}: {problem}"
        for path in pages
        for problem in find_page_problems(path, pages)
    )


def find_page_problems(path: Path, pages: dict[Path, Page]) -> set[str]:
    page = pages[path]
    found = {f"picture without text alternative: {source}" for source in page.wordless}
    for tag, target in page.targets:
        parts = urlsplit(target)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            found |= {f"loads {target}"} if tag in LOADED else set()
            continue
        place = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        there = place.exists()
        known = place not in pages or not parts.fragment or unquote(parts.fragment) in pages[place].anchors
        if not (there and known):
            found.add(f"broken link: {target}")
    return found


def main() -> int:
    root = Path(sys.argv[1])
    found = find_site_problems(root)
    print(*found, sep="\n", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
