"""The page of a picture in a real browser: what it shows, folds, finds and tells, by mouse and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

from layercheck.picture.formats import FORMATS
from layercheck.picture.model import Picture, Wishes
from tests import corpus
from tests.browsing import NoBrowserError, browser, console, open_page
from tests.command import layercheck
from tests.test_picture import SHOP, drawn
from tests.test_picture_formats import HOSTILE, hostile

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    try:
        with browser() as opened:
            yield opened
    except NoBrowserError as error:
        pytest.skip(str(error))


class Page:
    """A picture as somebody sees it who has opened its page."""

    def __init__(self, chromium: WebDriver, folder: Path, picture: Picture) -> None:
        self.browser = chromium
        file = folder / "picture.html"
        file.write_text(FORMATS["html"](picture), encoding="utf-8")
        open_page(chromium, file)

    def ask(self, script: str, *arguments: object) -> Any:
        """What an expression gives, in which ``id(name)`` is the number of the package or module of this name."""
        head = "const id = (name) => Model.items.find((item) => item.name === name).id;"
        return self.browser.execute_script(f"{head} return {script}", *arguments)

    def shown(self) -> list[str]:
        """The names of what is shown folded or as a module, from top to bottom."""
        return list(self.ask("Model.state.visible.map((item) => item.name)"))

    def arrows(self) -> dict[tuple[str, str], int]:
        """How many imports each arrow stands for."""
        name = "Model.items[one.{}].name"
        each = f"[{name.format('from')}, {name.format('to')}, one.count]"
        rows = self.ask(f"[...Model.state.bundles.values()].map((one) => {each})")
        return {(importer, imported): count for importer, imported, count in rows}

    def press(self, *keys: str) -> None:
        ActionChains(self.browser).send_keys(*keys).perform()

    def click(self, place: dict[str, float], inside: str = "graph") -> None:
        """Click on a place of a view, in pixels from its upper left corner."""
        view = self.browser.find_element(By.ID, inside)
        size = view.size
        right, down = place["x"] - size["width"] / 2, place["y"] - size["height"] / 2
        ActionChains(self.browser).move_to_element_with_offset(view, round(right), round(down)).click().perform()

    def click_box(self, name: str) -> None:
        self.click(self.ask("Graph.placeOf(id(arguments[0]))", name))

    def text(self, part: str) -> str:
        return self.browser.find_element(By.ID, part).text


@pytest.fixture
def shop(chromium: WebDriver, tmp_path: Path) -> Iterator[Page]:
    """The shop with the packages directly in it folded. Nothing may be written to the console."""
    yield Page(chromium, tmp_path, drawn(SHOP, Wishes(collapse=2, foldable=True)))
    assert console(chromium) == []


FOLDED = ["shop", "shop.shelf", "shop.cli", "shop.orders", "shop.refunds", "shop.stock", "shop.money"]


class TestFolding:
    def test_it_begins_as_deep_as_asked(self, shop: Page) -> None:
        assert shop.shown() == FOLDED

    def test_a_click_chooses_and_another_unfolds_and_folds(self, shop: Page) -> None:
        shop.click_box("shop.orders")
        assert shop.shown() == FOLDED
        assert shop.text("panel").startswith(
            "shop.orders\npackage of 3 modules\nlayer orders, refunds of order\nUnfold"
        )
        shop.click_box("shop.orders")
        assert shop.shown() == [*FOLDED[:3], "shop.orders.book", "shop.orders.line", "shop.orders", *FOLDED[4:]]
        box = shop.ask("Graph.placeOf(id('shop.orders'))")
        shop.click({"x": box["x"], "y": box["y"] - box["height"] / 2 + 8})
        assert shop.shown() == FOLDED

    def test_keys(self, shop: Page) -> None:
        shop.click_box("shop.orders")
        shop.press(Keys.ENTER)
        assert "shop.orders.line" in shop.shown()
        shop.press(Keys.ARROW_DOWN, Keys.BACKSPACE)
        chosen = shop.ask("Model.items[Model.state.chosen.item].name")
        assert chosen in {"shop", "shop.orders"}
        shop.press("e", "e", "e")
        assert len(shop.shown()) == 9
        shop.press("c", "c", "c")
        assert shop.shown() == ["shop"]
        shop.press(Keys.ESCAPE)
        assert shop.ask("Model.state.chosen") is None

    def test_what_does_not_move_stays_where_it_is(self, shop: Page) -> None:
        top = "(({x, y, height}) => [Math.round(x), Math.round(y - height / 2)])(Graph.placeOf(id('shop.orders')))"
        before = shop.ask(top)
        shop.ask("Graph.toggle(id('shop.orders'))")
        assert shop.ask(top) == before

    @pytest.mark.parametrize("level", [1, 2, 3])
    def test_folded_it_says_what_a_collapsed_picture_says(
        self, chromium: WebDriver, tmp_path: Path, level: int
    ) -> None:
        page = Page(chromium, tmp_path, drawn(SHOP, Wishes(collapse=level, foldable=True)))
        collapsed = drawn(SHOP, Wishes(collapse=level))
        assert sorted(page.shown()) == [node.name for node in collapsed.nodes]
        assert page.arrows() == {(one.importer, one.imported): len(one.links) for one in collapsed.arrows}
        lit = {(one.importer, one.imported) for one in collapsed.arrows if one.violations}
        rows = page.ask(
            "[...Model.state.bundles.values()].filter((one) => one.violation).map((one) => [one.from, one.to])"
        )
        assert {tuple(page.ask("arguments[0].map((id) => Model.items[id].name)", row)) for row in rows} == lit


class TestSearch:
    def test_what_is_found_is_unfolded_and_told(self, shop: Page) -> None:
        shop.press("/", "orders li")
        results = shop.browser.find_elements(By.CSS_SELECTOR, "#results li")
        assert [one.text for one in results] == ["shop.orders.line"]
        shop.press(Keys.ENTER)
        assert "shop.orders.line" in shop.shown()
        assert shop.text("panel").startswith("shop.orders.line\nmodule\nshop/orders/line.py\n")
        assert shop.text("status").startswith("shop.orders.line; ")

    def test_the_nearest_name_comes_first_and_arrows_choose(self, shop: Page) -> None:
        shop.press("/", "s")
        names = [one.text for one in shop.browser.find_elements(By.CSS_SELECTOR, "#results li")]
        assert names[0].startswith(("shop", "shop.s"))
        shop.press(Keys.ARROW_DOWN)
        chosen = shop.browser.find_element(By.CSS_SELECTOR, "#results [aria-selected=true]").text
        assert chosen == names[1]
        shop.press(Keys.ESCAPE)
        assert shop.ask("document.getElementById('search').value") == ""
        assert not shop.browser.find_element(By.ID, "results").is_displayed()

    def test_nothing_found_is_said(self, shop: Page) -> None:
        shop.press("/", "zzz")
        assert shop.text("results") == "nothing has this name"


class TestArrows:
    def test_a_click_shows_the_lines_of_its_imports(self, shop: Page) -> None:
        middle = "cy.getElementById(`a${id(arguments[0])}-${id(arguments[1])}`).renderedMidpoint()"
        shop.click(shop.ask(f"Graph.{middle}", "shop.cli", "shop.orders"))
        text = shop.text("panel")
        assert text.startswith("shop.cli \u2192 shop.orders\n")
        assert text.endswith("1 import\nshop/cli.py:1 import-time\nimport shop.orders.book")

    def test_violations_and_rings_are_gone_through_by_key(self, shop: Page) -> None:
        text = shop.text("panel")
        assert "3 violations" in text
        assert "1 import ring" in text
        shop.press("v")
        assert shop.ask("Model.items[Model.state.chosen.item].name") == "shop.money"
        assert "shop.money imports sqlite3" in shop.text("panel")
        shop.press("v")
        assert shop.text("panel").startswith("shop.money \u2192 shop.cli\nbreaks a rule")
        assert "shop.money (layer money) imports shop.cli (layer cli), which is above it" in shop.text("panel")
        shop.press("r")
        assert "import ring of 2 modules" in shop.text("panel")

    def test_kinds_can_be_left_out(self, shop: Page) -> None:
        assert ("shop.money", "shop.cli") in shop.arrows()
        shop.browser.find_element(By.ID, "kind-typing").click()
        assert ("shop.money", "shop.cli") not in shop.arrows()

    def test_only_what_is_lit(self, shop: Page) -> None:
        shop.browser.find_element(By.ID, "lit").click()
        drawn_ = shop.ask("Graph.cy.edges().map((edge) => edge.hasClass('ring') || edge.hasClass('violation'))")
        assert len(drawn_) == 4
        assert all(drawn_)


class TestMatrix:
    def test_a_click_on_a_cell_shows_its_imports(self, shop: Page) -> None:
        shop.press("m")
        assert shop.browser.find_element(By.ID, "matrix").is_displayed()
        assert not shop.browser.find_element(By.ID, "graph").is_displayed()
        place = "(({x, y}) => { const area = document.getElementById('matrix').getBoundingClientRect(); "
        place += "return {x: x - area.left, y: y - area.top}; })(Matrix.cellAt(id('shop.cli'), id('shop.money')))"
        shop.click(shop.ask(place), "matrix")
        text = shop.text("panel")
        assert text.startswith("shop.cli \u2192 shop.money\n")
        assert "2 imports" in text
        assert "shop/cli.py:2 import-time\nimport shop.money" in text
        assert "shop/cli.py:3 import-time\nfrom shop.money import cent" in text

    def test_keys_go_from_row_to_row_and_along_the_cells(self, shop: Page) -> None:
        shop.press("m", Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        assert shop.text("panel").startswith("shop.cli\n")
        shop.press(Keys.ARROW_RIGHT)
        assert shop.text("panel").startswith("shop.cli \u2192 shop.orders\n")
        shop.press(Keys.ARROW_RIGHT)
        assert shop.text("panel").startswith("shop.cli \u2192 shop.money\n")
        shop.press(Keys.ARROW_DOWN)
        assert shop.text("panel").startswith("shop.refunds \u2192 shop.money\n")

    def test_it_unfolds_too(self, shop: Page) -> None:
        shop.press("m", *[Keys.ARROW_DOWN] * 4, Keys.ENTER)
        assert "shop.orders.line" in shop.shown()


class TestLook:
    def test_it_is_drawn(self, shop: Page) -> None:
        sizes = "[...document.querySelectorAll('#graph canvas')].map((one) => one.getContext('2d')"
        sizes += ".getImageData(0, 0, one.width, one.height).data.some((value) => value > 0))"
        assert any(shop.ask(sizes))

    def test_light_and_dark(self, shop: Page) -> None:
        ground = "getComputedStyle(document.body).backgroundColor"
        seen = []
        for wanted in ("dark", "light"):
            features = [{"name": "prefers-color-scheme", "value": wanted}]
            shop.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            dressed = (By.CSS_SELECTOR, f":root[data-theme={wanted}]")
            WebDriverWait(shop.browser, 5).until(expected_conditions.presence_of_element_located(dressed))
            seen.append(shop.ask(ground))
        assert seen == ["rgb(20, 23, 27)", "rgb(255, 255, 255)"]
        shop.press("t", "t")
        assert shop.text("theme") == "Theme: dark"
        assert shop.ask(ground) == seen[0]

    def test_help(self, shop: Page) -> None:
        shop.press("?")
        assert "next violation, next import ring" in shop.text("keys")
        shop.press(Keys.ESCAPE)
        assert not shop.browser.find_element(By.ID, "keys").is_displayed()

    def test_it_asks_for_nothing(self, shop: Page) -> None:
        assert shop.ask("performance.getEntriesByType('resource').map((one) => one.name)") == []

    def test_hostile_text_stays_text(self, chromium: WebDriver, tmp_path: Path) -> None:
        page = Page(chromium, tmp_path, hostile())
        page.press("v")
        assert page.ask("document.querySelectorAll('img, #panel script').length") == 0
        assert page.ask("document.querySelector('h1').textContent") == HOSTILE.replace("\u2028", "\\u2028")
        assert page.ask(
            "[...document.querySelectorAll('#panel p')].some((one) => one.textContent === arguments[0])", HOSTILE
        )
        assert console(chromium) == []

    def test_nothing_to_draw(self, chromium: WebDriver, tmp_path: Path) -> None:
        page = Page(chromium, tmp_path, drawn("# file: a.py\n", Wishes(rings_only=True)))
        page.press("m", "m", "e", "c", "v", "r", Keys.ARROW_DOWN, Keys.ENTER, Keys.BACKSPACE, "f")
        assert page.shown() == []
        assert console(chromium) == []


@pytest.fixture(scope="module")
def sglang(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        root = corpus.release("sglang", "0.5.16")
    except corpus.UnavailableError as error:
        pytest.skip(str(error))
    file = tmp_path_factory.mktemp("page") / "sglang.html"
    done = layercheck("graph", root, "--format", "html", "--output", file)
    assert (done.status, done.stdout) == (0, "")
    return file


@pytest.mark.corpus
class TestLarge:
    """On a release of nearly 3,000 modules."""

    def test_it_is_small(self, sglang: Path) -> None:
        assert sglang.stat().st_size < 3 * MEGABYTE

    def test_it_is_drawn_at_once(self, chromium: WebDriver, sglang: Path) -> None:
        chromium.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        open_page(chromium, sglang)
        assert chromium.execute_script("return Graph.cy.nodes('.folded').length") >= 5
        assert chromium.execute_script("return performance.getEntriesByType('paint').length") > 0
        # Time of its own thread, so that what else the machine does at the moment counts as little as may be.
        metrics = chromium.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        assert {one["name"]: one["value"] for one in metrics}["TaskDuration"] < 2
        assert console(chromium) == []

    def test_all_of_it_can_be_unfolded_and_still_be_found_in(self, chromium: WebDriver, sglang: Path) -> None:
        open_page(chromium, sglang)
        modules = chromium.execute_script("return Model.items.filter((item) => item.leaf).length")
        chromium.execute_script("for (const item of Model.items) item.open = true; Model.changed('tree'); Graph.fit();")
        assert chromium.execute_script("return Graph.cy.nodes('.module').length") == modules > 2500
        name = "sglang.srt.mem_cache.memory_pool"
        ActionChains(chromium).send_keys("/", name, Keys.ENTER).perform()
        assert chromium.find_element(By.ID, "panel").text.startswith(f"{name}\n")
        chromium.execute_script("Main.show(true)")
        cells = json.loads(chromium.execute_script("return JSON.stringify(Model.state.bundles.size)"))
        assert cells > 10_000
        assert console(chromium) == []
