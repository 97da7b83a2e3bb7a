"""Formats of pictures: every one renders every picture, none is broken by what names, rules and paths hold."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from layercheck.cli import options
from layercheck.picture import formats
from layercheck.picture.formats import FORMATS
from layercheck.picture.model import Picture, Wishes
from tests import command
from tests.test_cli import Done, layercheck
from tests.test_picture import SHOP, drawn, trees
from tests.tree import write_tree

HOSTILE = "</script><!-- ]]> \"; ' `x` %s {{data}} \\ #quot; <img src=x onerror=alert(1)> \u2028"
"""What may stand in the reason and the help of a rule, and in a title."""
NAME = "</script> <!-- \"; ' `x` %s {{data}} \\ #quot; &amp; <img src=x onerror=alert(1)>"
"""What may be the name of a rule."""


def hostile() -> Picture:
    """A picture of a tree with this in all places that may hold it."""
    name, told = json.dumps(NAME), json.dumps(HOSTILE)
    text = f"""
# file: layercheck.toml
[[rule]]
name = {name}
check = "layers"
reason = {told}
help = {told}
within = "a"
order = ["x", "y"]
# file: a/__init__.py
# file: a/x.py
import a.y
# file: a/y.py
from a.x import ä
# file: a/x2.py
import a.x
"""
    return replace(drawn(text), title=HOSTILE)


PICTURES = {
    "modules": lambda: drawn(SHOP),
    "collapsed": lambda: drawn(SHOP, Wishes(collapse=2)),
    "to the top": lambda: drawn(SHOP, Wishes(collapse=1)),
    "foldable": lambda: drawn(SHOP, Wishes(collapse=2, foldable=True)),
    "focus": lambda: drawn(SHOP, Wishes(focus=("shop.refunds",))),
    "nothing": lambda: drawn("# file: a.py\n", Wishes(rings_only=True)),
    "one module": lambda: drawn("# file: a.py\nimport a\n"),
    "two tops": lambda: drawn("# file: a.py\nimport b.x\n# file: b/x.py\n"),
    "hostile": hostile,
}


def test_the_command_line_knows_the_formats() -> None:
    assert tuple(FORMATS) == options.PICTURES


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", PICTURES)
def test_every_format_renders_every_picture(format_: str, name: str) -> None:
    text = FORMATS[format_](PICTURES[name]())
    assert text.endswith("\n")
    assert text == FORMATS[format_](PICTURES[name]())


class TestText:
    def test_what_a_terminal_shows(self) -> None:
        assert FORMATS["text"](drawn(SHOP)) == (
            """\
shop, by the layers of order
  1  __init__   1 module
     shelf      1 module  -> stock 1*
  2  cli        1 module  -> orders 1, money 2
  3  orders    3 modules  -> refunds 1!, stock 1
  4  refunds    1 module  -> money 1
  5  stock      1 module  -> shelf 1^*
  6  money      1 module  -> cli 1!

shop.orders, by the layers of inside
  1  book      1 module  -> line 1
  2  line      1 module
  3  __init__  1 module

Behind numbers of imports: ! breaks a rule, ^ goes up, * is on an import ring.

shop/money.py:1: error: forbidden-imports [no-sql]
    shop.money imports sqlite3, which it may not import
shop/money.py:4: error: layers [order]
    shop.money (layer money) imports shop.cli (layer cli), which is above it
shop/orders/book.py:2: error: layers [order]
    shop.orders.book (layer orders) imports shop.refunds (layer refunds), its
    independent sibling

import ring of 2 modules:
    shop.shelf, shop.stock

9 modules, 10 imports, 1 ring, 3 violations.
"""
        )

    def test_without_rules_the_top_level_packages(self) -> None:
        lines = FORMATS["text"](drawn("# file: a.py\nimport b.x\n# file: b/x.py\nimport b.y\n# file: b/y.py\n"))
        assert lines.splitlines()[:6] == [
            "top level, by what imports what",
            "  1  a   1 module  -> b 1",
            "  2  b  2 modules",
            "",
            "b, by what imports what",
            "  1  x  1 module  -> y 1",
        ]

    def test_long_lists_are_wrapped_and_nothing_is_left_out(self) -> None:
        names = [f"module_with_a_long_name_{index}" for index in range(30)]
        text = "# file: a/__init__.py\n" + "".join(f"import a.{name}\n" for name in names)
        text += "".join(f"# file: a/{name}.py\n" for name in names)
        lines = FORMATS["text"](drawn(text)).splitlines()
        assert max(map(len, lines)) <= 80
        assert all(f"{name} 1" in " ".join(lines) for name in names)

    def test_of_very_many_violations_the_first_and_how_many_more(self) -> None:
        text = """
# file: layercheck.toml
[[rule]]
name = "no-os"
check = "forbidden-imports"
reason = "no"
from = ["a"]
to = ["os"]
# file: a/__init__.py
"""
        text += "".join(f"# file: a/m{index:02}.py\nimport os\n" for index in range(25))
        lines = FORMATS["text"](drawn(text)).splitlines()
        assert sum("error: forbidden-imports" in line for line in lines) == 20
        assert "and 5 more (by rule: no-os 25); --format json has all" in lines


class TestJson:
    def test_it_holds_everything(self) -> None:
        data = json.loads(FORMATS["json"](drawn(SHOP)))
        assert (data["version"], data["title"]) == (1, "shop")
        assert data["orders"][1] == {"rule": "inside", "package": "shop.orders", "layers": ["book", "line"]}
        by_name = {node["name"]: node for node in data["nodes"]}
        assert by_name["shop.orders.line"] == {
            "name": "shop.orders.line",
            "path": "shop/orders/line.py",
            "package": False,
            "modules": 1,
            "layers": [{"order": 0, "layer": 1}, {"order": 1, "layer": 1}],
            "ring": None,
        }
        assert by_name["shop.stock"]["ring"] == 0
        assert data["rings"][0]["members"] == ["shop.shelf", "shop.stock"]
        (arrow,) = [one for one in data["arrows"] if one["importer"] == "shop.money"]
        assert data["violations"][arrow["violations"][0]]["rule"] == "order"
        assert arrow["links"] == [
            {
                "importer": "shop.money",
                "imported": "shop.cli",
                "name": None,
                "path": "shop/money.py",
                "line": 4,
                "column": 12,
                "kind": "typing",
                "flags": [],
            }
        ]

    def test_bytes_of_a_path_that_are_not_utf_8_are_escaped(self) -> None:
        picture = drawn("# file: \udcff/a.py\n# file: \udcff/pyproject.toml\n[project]\nname = 'a'\n")
        for format_, render in FORMATS.items():
            assert render(picture).encode("utf-8"), format_


class TestDot:
    STATEMENT = re.compile(
        r"""[ ]{2}(?:
            (?:graph|node|edge)[ ]\[[^]]*\];
          | (?P<id>"(?:[^"\\]|\\.)*")(?:[ ]->[ ](?P<to>"(?:[^"\\]|\\.)*"))*
            (?:[ ]\[(?:[a-z]+=(?:"(?:[^"\\]|\\.)*"|[a-z]+)(?:,[ ])?)*\])?;
          | \{[ ]rank=same;(?:[ ]"(?:[^"\\]|\\.)*";)+[ ]\}
        )""",
        re.VERBOSE,
    )

    @pytest.mark.parametrize("name", PICTURES)
    def test_its_lines_are_statements(self, name: str) -> None:
        first, *lines, last = FORMATS["dot"](PICTURES[name]()).splitlines()
        assert (first, last) == ("digraph imports {", "}")
        assert [line for line in lines if not self.STATEMENT.fullmatch(line)] == []

    def test_layers_are_ranks_and_violations_are_red(self) -> None:
        lines = FORMATS["dot"](drawn(SHOP)).splitlines()
        assert '  { rank=same; "layer 0.1"; "shop.orders"; "shop.refunds"; }' in lines
        assert '  { rank=same; "layer 0.2"; "shop.orders.book"; }' in lines
        assert (
            '  "layer 0.3" [label="orders, refunds / line", shape="plaintext", style="", fontcolor="#666666"];' in lines
        )
        (ranks,) = [line for line in lines if "style=invis" in line]
        assert ranks.count("->") == 5
        (red,) = [line for line in lines if line.startswith('  "shop.money" -> "shop.cli"')]
        assert 'color="#c62828"' in red
        assert 'tooltip="order"' in red
        assert 'style="dashed"' in red
        (orange,) = [line for line in lines if line.startswith('  "shop.shelf" -> ')]
        assert 'color="#e07b00"' in orange

    @pytest.mark.parametrize("name", PICTURES)
    def test_graphviz_takes_it(self, name: str) -> None:
        program = shutil.which("dot")
        if program is None:
            pytest.skip("Graphviz is not installed: there is no program dot")
        text = FORMATS["dot"](PICTURES[name]())
        done = subprocess.run([program, "-Tplain"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        shown = {line.split(" ")[1].strip('"'): float(line.split(" ")[3]) for line in lines if line.startswith("node ")}
        if name == "modules":
            assert shown["shop.orders"] == shown["shop.refunds"]
            order = ["shop.cli", "shop.orders", "shop.orders.book", "shop.orders.line", "shop.stock", "shop.money"]
            assert sorted(order, key=lambda one: -shown[one]) == order


class TestMermaid:
    LINE = re.compile(
        r"""flowchart[ ]TB
          | [ ]{2,4}n\d+\[\[?"(?:[\w .,/-]|\#\d+;)+"\]?\]
          | [ ]{2}subgraph[ ]layer\d+\["(?:[\w .,/-]|\#\d+;)+"\] | [ ]{2}end
          | [ ]{2}n\d+[ ](?:-->|-\.->)(?:\|[\d,]+\|)?[ ]n\d+
          | [ ]{2}linkStyle[ ][\d,]+[ ][\w:#,-]+ | [ ]{2}classDef[ ]ring[ ][\w:#,-]+ | [ ]{2}class[ ][n\d,]+[ ]ring
        """,
        re.VERBOSE,
    )

    @pytest.mark.parametrize("name", PICTURES)
    def test_its_lines_are_statements(self, name: str) -> None:
        lines = FORMATS["mermaid"](PICTURES[name]()).splitlines()
        assert [line for line in lines if not self.LINE.fullmatch(line)] == []

    def test_what_it_says(self) -> None:
        picture = drawn(SHOP, Wishes(collapse=2))
        lines = FORMATS["mermaid"](picture).splitlines()
        assert '    n3[["shop.orders - 3 modules"]]' in lines
        assert lines.count("  end") == 4
        arrows = [line for line in lines if "->" in line]
        assert "  n1 -->|2| n2" in arrows
        assert "  n2 -.-> n1" in arrows
        (red,) = [line for line in lines if "#c62828" in line]
        assert red.split(" ")[3] == ",".join(
            str(index) for index, one in enumerate(arrows) if one in ("  n2 -.-> n1", "  n3 --> n4")
        )

    def test_what_is_too_much_for_it_is_told(self) -> None:
        modules = [f"m{index}" for index in range(24)]
        text = "".join(f"# file: {one}.py\nimport {', '.join(other for other in modules)}\n" for one in modules)
        picture = drawn(text)
        (told,) = formats.warnings(picture, "mermaid", "")
        assert told.startswith("576 arrows: Mermaid draws at most 500")
        assert "--collapse or --focus" in told
        assert list(formats.warnings(picture, "dot", "")) == []
        (told,) = formats.warnings(drawn(SHOP), "mermaid", "x" * 50_001)
        assert told.startswith("Mermaid reads at most 50,000 characters")


class Page(HTMLParser):
    """What a reader of HTML makes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attributes if name in ("src", "href", "action")]
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


def page(picture: Picture) -> Page:
    parsed = Page()
    parsed.feed(FORMATS["html"](picture))
    parsed.close()
    return parsed


def data(picture: Picture) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(page(picture).scripts[0])
    return parsed


class TestHtml:
    def test_it_is_one_page_that_asks_for_nothing(self) -> None:
        parsed = page(drawn(SHOP))
        assert parsed.addresses == []
        assert len(parsed.scripts) == 3
        assert "link" not in parsed.tags
        assert "iframe" not in parsed.tags

    def test_no_text_ends_a_script_or_becomes_markup(self) -> None:
        plain, bad = page(drawn(SHOP)), page(hostile())
        assert bad.tags == plain.tags
        found = data(hostile())
        assert (found["violations"][0][0], found["violations"][0][4]) == (NAME, HOSTILE)
        assert "<" not in bad.scripts[0]

    def test_the_licence_of_the_library_goes_with_it(self) -> None:
        text = FORMATS["html"](drawn(SHOP))
        licence = Path(formats.__file__).with_name("page") / "cytoscape.LICENSE"
        words = " ".join(licence.read_text(encoding="utf-8").split()[-20:])
        assert words.split(". ")[-1][-40:] in " ".join(text.replace("*", " ").split())

    def test_arrows_and_links_refer_to_what_they_mean(self) -> None:
        found = data(drawn(SHOP))
        tree = found["tree"]
        arrows = {
            (tree[importer][1], tree[imported][1]): (ring, violations, links)
            for importer, imported, ring, violations, links in found["arrows"]
        }
        ring, violations, links = arrows["shop.cli", "shop.money"]
        assert (ring, violations) == (-1, [])
        quads = [links[index : index + 4] for index in range(0, len(links), 4)]
        assert [
            (found["paths"][path], line, found["kinds"][kind], found["names"][name]) for path, line, kind, name in quads
        ] == [("shop/cli.py", 2, "import-time", ""), ("shop/cli.py", 3, "import-time", "cent")]
        assert arrows["shop.money", "shop.cli"][1] == [1]
        assert [tree[member][1] for member in found["rings"][0][0]] == ["shop.shelf", "shop.stock"]

    @given(trees())
    def test_a_package_comes_before_what_is_in_it_and_every_node_is_there_once(self, text: str) -> None:
        picture = drawn(text)
        tree = data(picture)["tree"]
        assert all(row[0] < index for index, row in enumerate(tree))
        assert sorted(row[1] for row in tree if len(row) > 5) == [node.name for node in picture.nodes]


class TestCommand:
    def graph(self, tmp_path: Path, *arguments: str) -> Done:
        return layercheck("graph", *arguments, cwd=write_tree(tmp_path, SHOP))

    @pytest.mark.parametrize("format_", FORMATS)
    def test_each_format_goes_to_the_terminal_or_a_file(self, tmp_path: Path, format_: str) -> None:
        done = self.graph(tmp_path, "--format", format_)
        assert (done.status, done.stderr) == (0, "")
        assert self.graph(tmp_path, "--format", format_, "--output", "out").stdout == ""
        assert (tmp_path / "out").read_text(encoding="utf-8") == done.stdout

    def test_options(self, tmp_path: Path) -> None:
        done = self.graph(
            tmp_path, "--format", "json", "--focus", "shop.money", "--depth", "0", "--kinds", "typing,import-time"
        )
        found = json.loads(done.stdout)
        assert [node["name"] for node in found["nodes"]] == ["shop.money"]
        assert found["kinds"] == ["import-time", "typing"]
        found = json.loads(self.graph(tmp_path, "--format", "json", "--collapse", "1").stdout)
        assert [node["modules"] for node in found["nodes"]] == [9]
        found = json.loads(self.graph(tmp_path, "--format", "json", "--rings-only").stdout)
        assert [node["name"] for node in found["nodes"]] == ["shop.shelf", "shop.stock"]

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (
                ["--kinds", "late"],
                "layercheck: --kinds: there is no kind 'late'; there are import-time, deferred, typing",
            ),
            (["--focus", "nobody.*"], "layercheck: --focus: no module is or fits 'nobody.*'"),
            (["--depth", "2"], "--depth says how far around --focus"),
            (["--output", "no/such/file"], "layercheck: --output: there is no folder no/such"),
            (["nowhere"], "layercheck: nowhere: there is no such folder"),
            (["--collapse", "0"], "0 is not in the range"),
        ],
    )
    def test_what_cannot_be_drawn_is_told(self, tmp_path: Path, arguments: list[str], told: str) -> None:
        done = self.graph(tmp_path, *arguments)
        assert (done.status, done.stdout) == (2, "")
        assert told in done.stderr
        assert "Traceback" not in done.stderr

    def test_what_may_be_missing_is_said_beside_the_picture(self, tmp_path: Path) -> None:
        write_tree(tmp_path, SHOP)
        (tmp_path / "shop" / "broken.py").write_text("(", encoding="utf-8")
        rules = (tmp_path / "layercheck.toml").read_text(encoding="utf-8").replace('"stock"', '"stok"')
        (tmp_path / "layercheck.toml").write_text(rules, encoding="utf-8")
        done = layercheck("graph", cwd=tmp_path)
        assert done.status == 0
        assert done.stderr.splitlines() == [
            "layercheck: 1 file could not be read: its imports are not drawn; layercheck check names them",
            "layercheck: rule order does not fit this code: some of it may not be drawn; layercheck check says how",
        ]
        assert layercheck("graph", "-q", cwd=tmp_path).stderr == ""

    def test_where_there_is_no_ring_it_says_so(self, tmp_path: Path) -> None:
        done = layercheck("graph", "--rings-only", "--format", "dot", cwd=write_tree(tmp_path, "# file: a.py\n"))
        assert (done.status, done.stderr) == (0, "layercheck: nothing is drawn: there is no import ring\n")


DOCS = command.ROOT / "docs" / "graph.md"


def test_the_page_of_the_docs_names_every_key_of_the_json() -> None:
    text = DOCS.read_text(encoding="utf-8").partition("## JSON")[2]
    found = json.loads(FORMATS["json"](drawn(SHOP)))
    rows = [one for part in found.values() if isinstance(part, list) for one in part if isinstance(one, dict)]
    links = [link for arrow in found["arrows"] for link in arrow["links"]]
    keys = {key for row in (found, *rows, *links) for key in row}
    assert {key for key in keys if f"`{key}`" not in text} == set()
