"""What MkDocs asks while it builds the site: pages from outside of docs/, and links to them."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parent))

from docgen.markdown import slug
from docgen.site_files import DOCS, OWN_PAGES, ROOT, listing, site_place, with_site_links


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Anchors are those that code hosts give headings."""
    config.mdx_configs["toc"]["slugify"] = lambda heading, _: slug(heading)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of files that are not in docs/, and those that any page leads to."""
    texts = {
        f"{DOCS}/{file.src_uri}": file.content_string for file in files.documentation_pages()
    } | {
        path: (ROOT / path).read_text(encoding="utf-8") for path in OWN_PAGES if path != "README.md"
    }
    wanted: list[str] = []
    for path, text in texts.items():
        changed, listed = with_site_links(text, path)
        wanted += listed
        if path in OWN_PAGES:
            files.append(File.generated(config, OWN_PAGES[path], content=changed))
    done: set[str] = set()
    while wanted:
        path = wanted.pop()
        if path in done:
            continue
        done.add(path)
        content, more = listing(path)
        wanted += more
        place = site_place(path)
        assert place is not None
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """The page's links as the site has them."""
    if page.file.generated_by is not None:
        return markdown
    return with_site_links(markdown, f"{DOCS}/{page.file.src_uri}")[0]
