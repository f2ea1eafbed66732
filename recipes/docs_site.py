"""The documentation as a static site that can be searched offline, with a gallery of real reports.

    make docs            # or: python recipes/docs_site.py [--out site] [--no-gallery]

Pages come from README, CHANGELOG, docs/, bench/ and the benchmarks' own READMEs. Every page is in the navigation; links
between them are rewritten, and a link that leads nowhere stops the build. Reports of the gallery are made from the stored
answers (recipes/results.py) that can be scored here, and from trivial baselines on the starter sets.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from itertools import zip_longest
from os.path import normpath, relpath
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ("tooleyes", "nestools", "mtu", "toolbehonest")
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
MOST_REPORTS = 8
TAG = re.compile(r"<[^>]*>")
LOADED = re.compile(r"""<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=["']?(https?:[^"'\s>]+)""")
# The sections of the navigation; a page of docs/ that none of them names is in the last one.
SECTIONS = {
    "Use": (
        "start",
        "models",
        "comparing",
        "ways",
        "gate",
        "certify",
        "own_tools",
        "effect",
        "cases",
        "traffic",
        "review",
        "scale",
    ),
    "Data and training": ("synth", "training", "environments", "tools"),
    "Evidence": ("results", "papers", "validity", "reliability"),
    "Reference": ("commands", "comparison", "faq", "guests", "bundles", "extending", "world"),
}
SEARCH = """<div class="find" role="search">
  <form><input id="find-words" type="search" placeholder="Search" aria-label="Search" autocomplete="off"></form>
  <div class="find__list" hidden><p id="find-count" aria-live="polite"></p><ol id="find-results"></ol></div>
</div>
"""


def pages() -> dict[str, str]:
    """Every file of the repository that becomes a page, and where it goes."""
    found = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
    found |= {"SECURITY.md": "security.md", "bench/README.md": "bench/index.md"}
    found |= {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    found |= {
        f"bench/results/{path.name}": f"bench/{path.name}"
        for path in sorted((ROOT / "bench/results").glob("*.md"))
    }
    found |= {f"src/toolyard/benchmarks/{name}/README.md": f"benchmarks/{name}.md" for name in BENCHMARKS}
    return found


def rewritten(text: str, source: str, target: str, known: dict[str, str]) -> str:
    """The page with links that fit the site; a link to a file that is no page becomes its name."""

    def link(found: re.Match[str]) -> str:
        label, address = found.groups()
        if re.match(r"[a-z]+:|#", address):
            return found.group(0)
        path, _, anchor = address.partition("#")
        wanted = normpath(str(Path(source).parent / path))
        wanted = f"{wanted}/README.md" if f"{wanted}/README.md" in known else wanted
        if wanted in known:
            there = relpath(known[wanted], Path(target).parent)
            return f"{label}({there}{'#' + anchor if anchor else ''})"
        if not (ROOT / wanted).exists():
            sys.exit(f"{source} links to {address}, which is not there; put the link right")
        if wanted.startswith("docs/"):
            return f"{label}({relpath(wanted.removeprefix('docs/'), Path(target).parent)})"
        return f"`{wanted}`"

    return LINK.sub(link, text)


def write_pages(folder: Path) -> None:
    """All pages, and the pictures and files that they link to."""
    known = pages()
    for source, target in known.items():
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / source).read_text(encoding="utf-8")
        path.write_text(rewritten(text, source, target, known), encoding="utf-8")
    for beside in sorted(path for path in (ROOT / "docs").iterdir() if path.is_dir()):
        shutil.copytree(beside, folder / beside.name)
    for name in ("find.js", "site.css"):
        shutil.copy(ROOT / "recipes" / name, folder / name)


def navigation(folder: Path) -> list[dict[str, object]]:
    """The menu, made from the pages that are there."""
    own = {path.stem for path in (ROOT / "docs").glob("*.md")}
    named = {stem for stems in SECTIONS.values() for stem in stems}
    sections = {title: [stem for stem in stems if stem in own] for title, stems in SECTIONS.items()}
    sections[list(sections)[-1]] += sorted(own - named)
    menu: list[dict[str, object]] = [{"Start": "index.md"}]
    menu += [{title: [entry(folder, f"{stem}.md") for stem in stems]} for title, stems in sections.items()]
    menu.insert(2, {"Benchmarks": [entry(folder, f"benchmarks/{name}.md") for name in BENCHMARKS]})
    bench = sorted(path.name for path in (folder / "bench").glob("*.md") if path.name != "index.md")
    measured = [{"Overview": "bench/index.md"}, *(entry(folder, f"bench/{name}") for name in bench)]
    project = [entry(folder, f"{name}.md") for name in ("changelog", "contributing", "security")]
    return [*menu, {"Gallery": "gallery/index.md"}, {"Measurements": measured}, {"Project": project}]


def entry(folder: Path, name: str) -> dict[str, str]:
    """A page under the title of its first heading."""
    found = re.search(r"^# (.+)$", (folder / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {(found.group(1) if found else name).replace("`", ""): name}


def section_title(location: str, title: str, titles: dict[str, str]) -> str:
    """The title of a section behind that of its page."""
    page, _, anchor = location.partition("#")
    return f"{titles[page]}: {title}" if anchor and page in titles else title


def plain(text: str) -> str:
    """What a reader sees of marked-up text."""
    return " ".join(unescape(TAG.sub(" ", text)).split())


def write_find(site: Path) -> None:
    """The index of the built site as a script, for the search box."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = {page["location"]: plain(page["title"]) for page in index["docs"]}
    entries = [
        {
            "location": page["location"],
            "title": section_title(page["location"], plain(page["title"]), titles),
            "text": plain(page["text"]),
        }
        for page in index["docs"]
    ]
    (site / "find_index.js").write_text(f"const TOOLYARD_PAGES = {json.dumps(entries)};\n", encoding="utf-8")


def refuse_addresses(site: Path) -> None:
    """Nothing of the site may be loaded from elsewhere."""
    for path in sorted(site.rglob("*.html")):
        found = LOADED.search(path.read_text(encoding="utf-8"))
        if found is not None:
            sys.exit(f"{path.relative_to(site)} loads {found.group(1)}; the site must work offline")


def write_gallery(folder: Path) -> None:
    """Real reports and a comparison, each a page of its own, and a page that lists them."""
    gallery = folder / "gallery"
    gallery.mkdir()
    lines = [
        "# Gallery",
        "",
        "Reports as the commands write them: one file each, nothing is loaded from elsewhere.",
        "",
    ]
    with tempfile.TemporaryDirectory() as scratch:
        runs = [*stored_runs(), *baseline_runs(Path(scratch))]
        for run in runs:
            shutil.copy(run / "report.html", gallery / f"{run.name}.html")
            lines.append(f"* [{run.name}]({run.name}.html)")
        if len(runs) > 1:
            write_comparison(runs, gallery / "comparison.html")
            lines.append("* [All of them compared, with the papers' tables and figures](comparison.html)")
    (gallery / "index.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


def stored_runs() -> Iterator[Path]:
    """Some of the stored answers that can be scored here, of each benchmark in turn, with their reports."""
    from results import ANSWERS, OFFICIAL, read_index
    from results_runs import score_packs

    from toolyard.report.report_files import write_report

    of_each = [
        [name for name in read_index(ANSWERS) if name.startswith(f"{benchmark}_")] for benchmark in BENCHMARKS
    ]
    chosen = [name for names in zip_longest(*of_each) for name in names if name][:MOST_REPORTS]
    index = read_index(ANSWERS)
    files = {ANSWERS / name: index[name] for name in chosen}
    scored, left_out = score_packs(files, ROOT / "build" / "results", OFFICIAL)
    for line in left_out:
        print(f"not in the gallery: {line}", file=sys.stderr)
    for item in scored:
        write_report(item.folder)
        yield item.folder


def baseline_runs(scratch: Path) -> Iterator[Path]:
    """A trivial baseline on the starter sets, so that the gallery is never empty."""
    from toolyard.report.report_files import write_report
    from toolyard.run.api import evaluate

    for name in BENCHMARKS:
        run = evaluate(name, "scripted/random", limit=30, runs=scratch, name=f"{name}-scripted-random").run
        write_report(run)
        yield run.folder


def write_comparison(runs: list[Path], path: Path) -> None:
    """One page with all runs of each benchmark."""
    from results_tables import facts

    from toolyard.report.compare.comparison import compare_runs
    from toolyard.report.compare.exhibits import paper_exhibits
    from toolyard.report.page.comparison_page import render_comparison

    found = compare_runs(runs, known=facts(), force=True)
    exhibits = {name: paper_exhibits(comparison) for name, comparison in found.items()}
    path.write_text(render_comparison(found, exhibits), encoding="utf-8")


def main() -> None:
    """Writes the pages and builds the site; warnings are errors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "site")
    parser.add_argument("--no-gallery", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "docs"
        folder.mkdir()
        write_pages(folder)
        if arguments.no_gallery:
            (folder / "gallery").mkdir()
            (folder / "gallery" / "index.md").write_text(
                "# Gallery\n\nThis copy was built without reports.\n"
            )
        else:
            write_gallery(folder)
        partial = Path(scratch) / "overrides" / "partials" / "search.html"
        partial.parent.mkdir(parents=True)
        partial.write_text(SEARCH, encoding="utf-8")
        config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        file = Path(scratch) / "mkdocs.yml"
        # JSON is YAML.
        file.write_text(f"{config}nav: {json.dumps(navigation(folder))}\n", encoding="utf-8")
        command = [
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--clean",
            "-f",
            str(file),
            "-d",
            str(arguments.out.resolve()),
        ]
        quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run([sys.executable, *command], check=False, env=quiet)
        status = done.returncode
    if status:
        sys.exit("the site was not built; see the lines above")
    write_find(arguments.out)
    refuse_addresses(arguments.out)
    print(f"open {arguments.out / 'index.html'}")


if __name__ == "__main__":
    main()
