"""A hook of mkdocs: show the file that a block of code begins with as its title."""

import re


def on_page_markdown(markdown: str, **_more: object) -> str:
    """Rewrite ```python PATH as ```python title="PATH", which the site's Markdown understands."""
    return re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', markdown, flags=re.MULTILINE)
