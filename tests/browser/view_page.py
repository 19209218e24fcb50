#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `headway view` in a browser and uses them like a user.

usage: view_page.py PROGRAM [unittest arguments]
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    sys.exit("the Debian package python3-selenium is missing (apt-packages.txt)")

CHROMIUM = pathlib.Path("/usr/bin/chromium")
DRIVER = pathlib.Path("/usr/bin/chromedriver")
for needed, package in ((CHROMIUM, "chromium"), (DRIVER, "chromium-driver")):
    if not needed.exists():
        sys.exit(f"the Debian package {package} is missing (apt-packages.txt)")

PROGRAM = ""
SWITCHES = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-default-apps", "--disable-sync", "--window-size=1400,1000",
]

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "hot.toml"
# A bin of the series has one snapshot, so both must show the same values.
SPEC = EXAMPLE.read_text().split("[measure]")[0].replace('"50 us"', '"20 us"') + """
[measure]
warmup = "0 us"
duration = "60 us"
bin = "1 us"
[observe]
waiting = true
keep = true
interval = "1 us"
"""

GROUPS = SPEC.replace("k = 4\nn = 2", 'topology = "dragonfly"').replace("[traffic]", '[routing]\nalgorithm = "minimal"\n[traffic]')
MATRIX = SPEC.replace("k = 4\nn = 2", 'topology = "hyperx"\nsides = [4, 3, 2]').replace("[traffic]", '[routing]\nalgorithm = "dor"\n[traffic]')

# An all-reduce on half of a tree, beside writes to storage: its messages wait behind storage's packets.
JOBS = """
seed = 3
network = { k = 4, n = 3 }
switch = { input_memory = "64 KiB" }
[traffic]
packet = "1 KiB"
[[traffic.job]]
name = "training"
program = "all-reduce"
algorithm = "ring"
size = "16 KiB"
overhead = "1 us"
nodes = { random = 0.5 }
[[traffic.job]]
name = "storage"
program = "incast"
senders = 24
receivers = 2
size = "64 KiB"
nodes = { rest = true }
placement = "random"
background = true
[measure]
tables = ["critical-path", "per-operation"]
[observe]
waiting = true
keep = true
interval = "1 us"
"""

SCRIPT = "<script>document.title='evil'</script><img src=x onerror=\"document.title='evil'\">"
TURNED = "left\u202eright"
LONG = "x" * 10_000
HOSTILE = f"""
[[switch]]
name = {json.dumps(SCRIPT)}
[[switch]]
name = "it's \\"quoted\\" </script>"
[[node]]
at = {json.dumps(SCRIPT)}
name = {json.dumps(TURNED)}
[[node]]
at = {json.dumps(SCRIPT)}
name = {json.dumps(LONG)}
[[node]]
at = "it's \\"quoted\\" </script>"
name = "</script><script>document.title='evil'</script>"
[[link]]
ends = [{json.dumps(SCRIPT)}, "it's \\"quoted\\" </script>"]
"""


def run(*arguments, where):
    done = subprocess.run([PROGRAM, *arguments], cwd=where, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"headway {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def number(text):
    return float(text.replace(",", ""))


class ViewPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.downloads = cls.folder / "downloads"
        cls.downloads.mkdir()
        (cls.folder / "hot.toml").write_text(SPEC)
        for scheme in ("1q", "obqa"):
            run("run", "hot.toml", "--set", f"switch.scheme={scheme}", "--out", scheme, where=cls.folder)
        run("view", "1q", where=cls.folder)
        run("view", "1q", "obqa", "-o", "both.html", where=cls.folder)
        options = Options()
        options.binary_location = str(CHROMIUM)
        for switch in (*SWITCHES, f"--user-data-dir={cls.folder / 'profile'}"):
            options.add_argument(switch)
        options.add_experimental_option("prefs", {"download.default_directory": str(cls.downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(str(DRIVER)), options=options)
        cls.results = [json.loads((cls.folder / s / "results.json").read_text())["points"][0] for s in ("1q", "obqa")]

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.place.cleanup()

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [], "the page wrote to the console")

    def open(self, name, ready="yes"):
        self.browser.get((self.folder / name).as_uri())
        self.wait(lambda: self.browser.execute_script("return document.body.dataset.ready") is not None)
        self.assertEqual(self.browser.execute_script("return document.body.dataset.ready"), ready, self.text("#app"))

    def wait(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "nothing happened")
            time.sleep(0.02)

    def rest(self):
        """Waits until the picture is drawn and the panel has shown its slow parts."""
        self.browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 140));")

    def element(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.element(selector).text

    def shown(self, selector):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def to_frame(self, frame):
        self.browser.execute_script(
            "const s = document.getElementById('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", frame)
        self.rest()

    def frame(self):
        return int(self.element("#slider").get_property("value"))

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()
        self.rest()

    def pixels(self, selector="section.network canvas[role=img]"):
        """The canvas as text, for comparing pictures."""
        return self.browser.execute_script("return document.querySelector(arguments[0]).toDataURL()", selector)

    def row(self, table, metric, run_index=0):
        return self.browser.execute_script(
            "const r = document.querySelector(`aside section[data-run='${arguments[2]}'] tr[data-table='${arguments[0]}']"
            "[data-metric='${arguments[1]}']`); return r === null ? null : r.querySelector('td').textContent", table, metric, run_index)

    def test_numbers_are_those_of_the_results(self):
        self.open("both.html")
        for frame in (5, 30, 55):
            self.to_frame(frame)
            for metric in ("network_efficiency", "tree_packets", "trees", "victim_packets"):
                (reading,) = self.shown(f"figure[data-metric={metric}] .reading")
                for result, value in zip(self.results, reading.split(" | ")):
                    expected = result["series"][metric][frame]
                    self.assertAlmostEqual(number(value), expected, delta=5e-4 * max(1, abs(expected)), msg=f"{metric} at {frame}")
            for result, canvas in zip(self.results, self.browser.find_elements(By.CSS_SELECTOR, "section.network canvas[role=img]")):
                label = canvas.get_attribute("aria-label")
                trees = int(result["series"]["trees"][frame])
                self.assertIn("no congestion tree" if trees == 0 else f": {trees} congestion tree", label)

    def test_slider_keys_and_play_move_the_time(self):
        self.open("1q/view.html")
        self.to_frame(3)
        before, then = self.pixels(), self.text("#time")
        self.element("#slider").send_keys(Keys.ARROW_RIGHT)
        self.rest()
        self.assertEqual(self.frame(), 4)
        self.assertNotEqual(self.text("#time"), then)
        self.element("section.network canvas[role=img]").click()
        self.press(Keys.END)
        self.assertEqual(self.frame(), 59)
        self.assertNotEqual(self.pixels(), before)
        self.press(Keys.HOME)
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        self.rest()
        self.assertEqual(self.frame(), 10)
        Select(self.element("#speed")).select_by_value("80")
        self.element("#play").click()
        self.assertEqual(self.text("#play"), "Pause")
        self.wait(lambda: self.frame() == 59)
        self.wait(lambda: self.text("#play") == "Play")  # stops at the end
        self.press(" ")  # starts again
        self.wait(lambda: 0 < self.frame() < 59)
        self.press(" ")
        self.assertEqual(self.text("#play"), "Play")

    def test_going_back_shows_what_was_shown_before(self):
        self.open("1q/view.html")
        self.to_frame(40)
        before = self.pixels()
        for frame in (59, 7, 41, 40):
            self.to_frame(frame)
        self.assertEqual(self.pixels(), before)

    def test_colours_and_zoom_change_the_picture(self):
        self.open("1q/view.html")
        self.to_frame(55)
        seen = set()
        for mode in ("occupancy", "link", "room", "hol", "victims"):
            Select(self.element("#mode")).select_by_value(mode)
            self.rest()
            seen.add(self.pixels())
            self.assertNotEqual(self.text("#legend"), "")
        self.assertEqual(len(seen), 5)
        self.element("#play").send_keys("+")
        self.rest()
        self.assertNotIn(self.pixels(), seen)
        self.element("#fit").click()
        self.rest()
        self.assertIn(self.pixels(), seen)

    def test_search_selects_nodes_switches_and_ports(self):
        self.open("1q/view.html")
        for words, title in (("node 11", "Node 11"), ("11", "Node 11"), ("switch 2", "Switch 2"), ("switch 2 port 3", "Switch 2, port 3")):
            box = self.element("#search")
            box.clear()
            box.send_keys(words, Keys.ENTER)
            self.rest()
            self.assertEqual(self.text("aside h2"), title)
        box.clear()
        box.send_keys("node 16", Keys.ENTER)
        self.rest()
        self.assertEqual(self.text("#found"), "not found")

    def test_a_node_shows_its_numbers(self):
        self.open("both.html")
        self.element("#search").send_keys("node 11", Keys.ENTER)
        self.rest()
        for index, result in enumerate(self.results):
            for metric, values in result["per_destination"].items():
                if metric != "destination":
                    self.assertAlmostEqual(number(self.row("per_destination", metric, index)), values[11],
                                           delta=6e-4 * max(1, abs(values[11])), msg=metric)
        self.assertGreater(number(self.row("per_destination", "latency_mean_ns")), 0)
        latency = self.element("aside tr[data-metric=latency_mean_ns]")
        self.assertIn("from the generation of a message to the delivery of a packet's tail", latency.get_attribute("title"))
        self.assertTrue(latency.text.startswith("mean latency ") and latency.text.endswith(" ns"), latency.text)
        tip = self.element("aside tr[data-metric=accepted_load]").get_attribute("title")
        self.assertIn("bytes delivered to the node in the window", tip)  # the text of the metrics registry
        self.assertIn("fraction of link rate", self.text("aside tr[data-metric=accepted_load]"))

    def test_a_port_shows_who_waits_for_what(self):
        self.open("1q/view.html")
        self.to_frame(55)
        self.element("#search").send_keys("node 3", Keys.ENTER)
        self.rest()
        self.assertIn("the head waits for", self.text("aside"))
        self.element("#search").clear()
        self.element("#search").send_keys("port 0", Keys.ENTER)
        self.rest()
        self.assertAlmostEqual(number(self.row("per_link", "utilisation")), self.results[0]["per_link"]["utilisation"][0], delta=1e-3)
        self.assertGreater(self.browser.execute_script("return document.querySelectorAll('aside canvas.spark').length"), 0)

    def saved(self, button, suffix):
        for old in self.downloads.glob(f"*.{suffix}"):
            old.unlink()
        self.element(button).click()
        self.wait(lambda: any(self.downloads.glob(f"*.{suffix}")))
        (file,) = self.downloads.glob(f"*.{suffix}")
        self.wait(lambda: file.stat().st_size > 1000)
        return file.read_bytes()

    def page_of(self, name, spec, *options):
        (self.folder / f"{name}.toml").write_text(spec)
        run("run", f"{name}.toml", *options, "--out", name, where=self.folder)
        run("view", name, where=self.folder)
        self.open(f"{name}/view.html")

    def find(self, words):
        self.element("#search").clear()
        self.element("#search").send_keys(words, Keys.ENTER)
        self.rest()

    def test_dragonflies_are_a_ring_of_groups_whose_ports_have_lanes(self):
        self.page_of("groups", GROUPS)
        drawn = self.saved("#save-svg", "svg").decode()
        self.assertIn(">group 0</text>", drawn)
        self.assertIn(">8</text>", drawn)
        self.to_frame(55)
        lanes = set()
        for port in range(7):
            self.find(f"switch 5 port {port}")
            self.assertEqual(self.text("aside h2"), f"Switch 5, port {port}")
            of_lanes = [number(text) for text in self.shown("aside tr[data-metric=lane_packets] td:nth-child(2)")]
            self.assertEqual(len(of_lanes), 2)
            self.assertEqual(sum(of_lanes), number(self.row("snapshot", "queue_packets")))
            lanes.update(lane for lane, packets in enumerate(of_lanes) if packets > 0)
            for lane, packets in enumerate(of_lanes):
                named = f"The queue of lane {lane}: {packets:.0f} packet"
                self.assertEqual(named in self.text("aside"), packets > 0)
        self.assertEqual(lanes, {0, 1})
        # The search has centred the port in the picture.
        self.press(Keys.ESCAPE)
        self.element("section.network canvas[role=img]").click()
        self.rest()
        self.assertEqual(self.text("aside h2"), "Switch 5, port 6")

    def test_a_hyperx_is_a_matrix_in_slices_and_its_links_bow(self):
        self.page_of("matrix", MATRIX)
        self.to_frame(55)
        drawn = self.saved("#save-svg", "svg").decode()
        for words in (">slice 0</text>", ">slice 1</text>"):
            self.assertIn(words, drawn)
        self.assertRegex(drawn, r'd="M[-0-9. ]+C')
        self.find("switch 23 port 0")
        self.assertEqual(self.text("aside h2"), "Switch 23, port 0")
        self.assertIsNone(self.row("snapshot", "lane_packets"))

    # At a frame where no line appears or disappears, so that the values at the ends of bins equal the snapshot's.
    def test_lines_of_isolation_are_coloured_and_are_those_of_the_results(self):
        spec = SPEC.replace("load = 0.3", "load = 0.05").replace("[measure]", '[measure]\ntables = ["port-series"]')
        for scheme in ("fbicm", "recn-iq"):
            self.page_of(scheme, spec, "--set", f"switch.scheme={scheme}")
            result = json.loads((self.folder / scheme / "results.json").read_text())["points"][0]
            ports = {tuple(map(int, name.split("_")[1:])): lines for name, lines in result["port_series"].items() if name != "time_ns"}
            frame = next(f for f in range(25, 59) if any(lines[f] for lines in ports.values())
                         and all(len(set(lines[f - 1:f + 2])) == 1 for lines in ports.values()))
            self.to_frame(frame)
            before = self.pixels()
            Select(self.element("#mode")).select_by_value("lines")
            self.rest()
            self.assertNotEqual(self.pixels(), before)
            self.assertIn("isolation lines (CFQs, SAQs): none\nmost", self.text("#legend"))
            none = self.browser.execute_script(
                "return getComputedStyle(document.querySelector('#legend .swatch')).backgroundColor.replaceAll(' ', '')")
            drawn = self.saved("#save-svg", "svg").decode().replace('width="12" height="10"', "")  # the legend
            cells = re.findall(r'width="[0-9.]+" height="[0-9.]+" fill="(rgb[^"]+)"', drawn)
            in_use = [lines[frame] for lines in ports.values() if lines[frame] > 0]
            self.assertEqual(len(cells), 48 + 16)  # ports with links, and nodes
            self.assertEqual(set(in_use), {1})
            self.assertEqual(cells.count(none), len(cells) - len(in_use))  # lines of nodes are not counted
            self.assertEqual(len(set(cells)), 2)
            for lines in (0, 1):
                switch, port = next(name for name, of_port in ports.items() if of_port[frame] == lines)
                self.find(f"switch {switch} port {port}")
                self.assertEqual(number(self.row("snapshot", "lines")), lines)
            self.assertIn("CFQs or SAQs", self.element("aside tr[data-metric=lines]").get_attribute("title"))

    # Leaf 0 of a tree of two levels sends to 4 through a link that is down from 20 to 30 us.
    def test_a_link_that_goes_down_is_marked_and_is_a_root(self):
        event = '\n[[event]]\nlink = "0:4"\nat = "20 us"\nlasts = "10 us"\n'
        self.page_of("outage", SPEC.replace("[measure]", event + "[measure]"), "--set", "routing.algorithm=det")
        self.to_frame(10)
        self.assertEqual(self.text("#changes"), "Last change: no link or route has changed yet")
        self.to_frame(26)
        self.assertEqual(self.text("#changes"), "Last change: 20.0 µs: link 0:4 goes down")
        self.find("switch 0 port 4")
        self.assertEqual(self.row("per_link", "down"), "down")
        self.assertIn("down", self.text("aside"))
        self.to_frame(40)
        self.assertEqual(self.text("#changes"), "Last change: 30.0 µs: link 0:4 is as usual again")
        self.assertNotEqual(self.row("per_link", "down"), "down")
        self.assertIn("links are down", self.text("#below .legend"))
        self.open("1q/view.html")
        self.assertEqual(self.text("#changes"), "")
        self.assertNotIn("links are down", self.text("#below .legend"))

    def test_the_hot_link_is_the_root_and_its_tree_has_its_numbers(self):
        self.open("1q/view.html")
        self.to_frame(58)
        tree = self.element("aside ul.trees button")
        self.assertIn("to node 11", tree.text)
        tree.click()
        self.rest()
        self.assertIn("to node 11", self.text("aside p"))
        trees = self.results[0]["trees"]
        port = self.results[0]["roots"]["port"]
        self.assertTrue(port)
        lives = [row for row, node in enumerate(trees["to_node"]) if node == 11 and trees["kind"][row] == "link"]
        now = [row for row in lives if trees["death_ns"][row] is None or trees["death_ns"][row] > 58_500]
        self.assertIn(number(self.row("trees", "most_packets")), [trees["most_packets"][row] for row in now])
        self.assertIn("to node 11", self.text("aside tr[data-table=culprits]"))

    def test_clicking_on_the_picture_selects(self):
        self.open("1q/view.html")
        canvas = self.element("section.network canvas[role=img]")
        titles = set()
        for dx in range(-200, 201, 50):
            ActionChains(self.browser).move_to_element_with_offset(canvas, dx, int(canvas.size["height"] * 0.45)).click().perform()
            self.rest()
            titles.add(self.text("aside h2").split(" ")[0])
        self.assertIn("Node", titles)
        self.press(Keys.ESCAPE)
        self.assertEqual(self.text("aside h2"), "Congestion trees now")

    def test_the_cursor_of_the_series_is_the_slider(self):
        self.open("1q/view.html")
        plot = self.element(".series canvas")
        ActionChains(self.browser).move_to_element_with_offset(plot, 0, 0).click().perform()
        self.rest()
        self.assertAlmostEqual(self.frame(), 30, delta=2)

    def test_comparing_shows_both_runs_what_differs_and_the_difference(self):
        self.open("both.html")
        self.assertEqual([title.split(" a ")[0] for title in self.shown("section.network h2")], ["1q", "obqa"])
        table = self.text("#differences")
        self.assertIn("switch.scheme 1q obqa", table)
        self.assertNotIn("network.k", table)
        self.to_frame(55)
        before = self.pixels()
        Select(self.element("#view")).select_by_value("difference")
        self.rest()
        self.assertEqual(self.shown("section.network h2"), ["obqa minus 1q"])
        self.assertNotEqual(self.pixels(), before)

    def test_two_networks_are_side_by_side_where_there_is_room(self):
        self.open("both.html")
        def corners():
            self.rest()
            return [(canvas.rect["x"], canvas.rect["y"], canvas.rect["width"], canvas.rect["height"])
                    for canvas in self.browser.find_elements(By.CSS_SELECTOR, "section.network canvas[role=img]")]
        left, right = corners()
        self.assertEqual((left[1:], left[0] + left[2] < right[0]), (right[1:], True))
        try:
            self.browser.set_window_size(700, 1000)
            above, below = corners()
            self.assertEqual((above[0], above[2:], above[1] + above[3] < below[1]), (below[0], below[2:], True))
        finally:
            self.browser.set_window_size(1400, 1000)

    def test_a_run_that_has_ended_is_shown_as_ended(self):
        for scheme in ("1q", "fbicm"):
            (self.folder / "jobs.toml").write_text(JOBS)
            run("run", "jobs.toml", "--set", f"switch.scheme={scheme}", "--out", f"jobs-{scheme}", where=self.folder)
        run("view", "jobs-fbicm", "jobs-1q", "-o", "ended.html", where=self.folder)
        self.open("ended.html")
        end = json.loads((self.folder / "jobs-fbicm" / "results.json").read_text())["points"][0]["metrics"]["makespan_ns"]
        words = f"nded at {end / 1000:.1f} µs"
        canvases = self.browser.find_elements(By.CSS_SELECTOR, "section.network canvas[role=img]")
        self.to_frame(0)
        self.assertNotIn("ended", canvases[0].get_attribute("aria-label"))
        self.assertNotIn("– |", self.text("figure[data-metric=network_efficiency] .reading"))
        last = self.element("#slider").get_attribute("max")
        self.to_frame(last)
        self.assertIn(words, canvases[0].get_attribute("aria-label"))
        self.assertNotIn("ended", canvases[1].get_attribute("aria-label"))
        self.assertIn("– |", self.text("figure[data-metric=network_efficiency] .reading"))
        self.find("node 3")
        self.assertIn(words, self.text("aside section[data-run='0']"))
        self.assertEqual(self.shown("aside section[data-run='0'] td"), [])
        self.assertNotEqual(self.shown("aside section[data-run='1'] td"), [])
        ended, other = self.browser.find_elements(By.CSS_SELECTOR, "#jobs .cursor")
        self.assertEqual((ended.is_displayed(), other.is_displayed()), (False, True))
        drawn = self.saved("#save-svg", "svg").decode()
        self.assertIn(f">E{words}</text>", drawn)
        Select(self.element("#view")).select_by_value("difference")
        self.rest()
        self.assertIn(f"No difference: fbicm e{words}", self.saved("#save-svg", "svg").decode())
        self.to_frame(0)
        self.assertNotIn("No difference", self.saved("#save-svg", "svg").decode())

    def test_a_browser_without_scripts_says_so_and_others_do_not(self):
        page = (self.folder / "1q" / "view.html").read_text()
        self.assertIn('<div id="app"><noscript><p>This page needs JavaScript', page)
        self.open("1q/view.html")
        self.assertNotIn("JavaScript", self.browser.execute_script("return document.documentElement.innerText"))

    def test_pictures_are_saved(self):
        self.open("both.html")
        for button, suffix, begins in (("#save", "png", b"\x89PNG"), ("#save-svg", "svg", b"<svg")):
            self.assertTrue(self.saved(button, suffix).startswith(begins))

    def test_hostile_names_are_text(self):
        (self.folder / "net.toml").write_text(HOSTILE)
        spec = SPEC.replace('k = 4\nn = 2', 'topology = "file"\nfile = "net.toml"').replace("destination = 11", "destination = 2")
        spec = spec.replace("{ fraction = 0.75 }", "{ nodes = [0] }").replace("{ rest = true }", "{ nodes = [1] }")
        (self.folder / "hostile.toml").write_text(spec)
        routes = "switch 0\n0 0\n1 1\n2 2\nswitch 1\n0 1\n1 1\n2 0\n"
        (self.folder / "routes.txt").write_text(routes)
        run("run", "hostile.toml", "--set", "routing.algorithm=table", "--set", "routing.file=routes.txt", "--out", "hostile<b>", where=self.folder)
        run("view", "hostile<b>", where=self.folder)
        self.open("hostile<b>/view.html")
        self.to_frame(50)
        self.assertNotIn("evil", self.browser.title)
        self.assertEqual(self.shown("img, main script, b"), [])
        for words in ("left", "xxx", "switch 1", "switch 0", "</script>"):
            box = self.element("#search")
            box.clear()
            box.send_keys(words, Keys.ENTER)
            self.rest()
            self.assertLess(len(self.text("aside h2")), 200)
            self.assertNotIn("\u202e", self.text("#app"))
        self.assertIn("</script>", self.text("aside h2"))
        self.assertNotIn("evil", self.browser.title)
        page = (self.folder / "hostile<b>" / "view.html").read_text()
        self.assertEqual(page.count("<script"), page.count("</script>"))
        self.assertIn("default-src 'none'", page)
        self.assertNotRegex(page, r'(src|href)=|url\(|@import|https?://(?!www.w3.org/2000/svg)')  # no external files

    def marker(self):
        """The position of the slider in the timeline of jobs: from 0 to 1; None if it is outside."""
        return self.browser.execute_script(
            "const c = document.querySelector('#jobs .cursor'), r = document.querySelector('#jobs canvas').getBoundingClientRect();"
            "return c.hidden ? null : (c.getBoundingClientRect().left - r.left - 40) / (r.width - 40)")

    def click_timeline(self, share, row):
        canvas = self.element("#jobs canvas")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        width, height = canvas.rect["width"], canvas.rect["height"]
        x, y = 40 + share * (width - 40), (row + 0.5) * (height - 18) / 32
        ActionChains(self.browser).move_to_element_with_offset(canvas, x - width / 2, y - height / 2).click().perform()
        self.rest()

    def test_jobs_have_a_timeline_with_the_slider_and_the_places_of_waits(self):
        self.page_of("jobs", JOBS)
        (result,) = json.loads((self.folder / "jobs" / "results.json").read_text())["points"]
        steps, end = result["critical_path"], result["per_job"]["finish_ns"][0]
        self.assertIn("32 ranks", self.element("#jobs canvas").get_attribute("aria-label"))
        self.assertEqual(self.shown("#job option"), ["training", "storage"])
        last = int(self.element("#slider").get_attribute("max"))
        still = self.pixels("#jobs canvas")
        for frame in (last // 3, last // 2):
            self.to_frame(frame)
            value, unit = self.text("#time").split()
            self.assertAlmostEqual(self.marker(), number(value) * {"µs": 1e3, "ms": 1e6}[unit] / end, delta=0.003)
        self.assertEqual(self.pixels("#jobs canvas"), still)  # only the marker moves

        idle = 2  # this rank has no wait on the path
        self.assertNotIn(idle, [rank for rank, ns in zip(steps["rank"], steps["wait_ns"]) if ns > 0])
        self.click_timeline(0.75, idle)
        self.assertAlmostEqual(self.marker(), 0.75, delta=0.01)
        self.assertEqual(self.text("aside h2"), "Congestion trees now")

        wait = max(range(len(steps["rank"])), key=lambda step: steps["wait_ns"][step])
        middle = (steps["start_ns"][wait] + steps["wait_ns"][wait] / 2) / end
        self.click_timeline(middle, steps["rank"][wait])
        place = f"switch {steps['at_switch'][wait]:.0f}, port {steps['at_port'][wait]:.0f}"
        self.assertEqual(self.text("aside h2"), place.capitalize())
        self.assertIn("the head waits for", self.text("aside"))
        self.assertAlmostEqual(self.marker(), middle, delta=0.01)
        message = f"message from rank {steps['rank'][wait]:.0f} to rank {steps['peer'][wait]:.0f}"
        self.assertIn(f"The {message} waits for", self.text("#jobs .wait"))
        self.assertIn(f"at {place} for the ", self.text("#jobs .wait"))
        self.assertNotEqual(self.pixels("#jobs canvas"), still)
        self.browser.find_elements(By.CSS_SELECTOR, "#jobs .wait button")[1].click()
        self.rest()
        self.assertEqual(self.text("aside h2"), "Congestion tree")

        self.press(Keys.ESCAPE)
        self.element("#jobs summary").send_keys(Keys.SPACE)
        first = self.element("#jobs li button")
        self.assertIn(message, first.text)
        first.send_keys(Keys.ENTER)
        self.rest()
        self.assertEqual(self.text("aside h2"), place.capitalize())

        Select(self.element("#job")).select_by_value("storage")
        self.rest()
        self.assertNotEqual(self.pixels("#jobs canvas"), still)
        self.assertIn("no critical path", self.text("#jobs"))

        run("view", "jobs", "jobs", "-o", "twice.html", where=self.folder)
        self.open("twice.html")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#jobs canvas")), 2)

    def test_jobs_without_operations_say_how_to_get_them(self):
        self.page_of("bare", JOBS, "--set", "measure.tables=[]")
        self.assertIn('"per-operation"', self.text("#jobs"))
        self.assertEqual(self.shown("#jobs canvas"), [])
        self.open("1q/view.html")
        self.assertFalse(self.element("#jobs").is_displayed())

    def test_what_changes_gain_is_shown_with_how_to_run_them(self):
        (self.folder / "slow.toml").write_text(JOBS.replace("n = 3 }", 'n = 3, degraded = { at = ["0:4"], rate = 0.05 } }'))
        run("why", "slow.toml", "--try", "--try", "switch.scheme=voqnet", "--seeds", "2", "--out", "slow", where=self.folder)
        run("view", "slow", where=self.folder)
        self.open("slow/view.html")
        (result,) = json.loads((self.folder / "slow" / "results.json").read_text())["points"]
        table = result["remedies"]
        ran = [row for row, why in enumerate(table["skipped"]) if why == ""]
        lines = self.browser.find_elements(By.CSS_SELECTOR, "#remedies tbody tr:has(th[scope=row])")
        self.assertEqual(sorted(line.find_element(By.TAG_NAME, "button").get_property("textContent") for line in lines),
                         sorted(table["change"][row] for row in ran))
        shown = [line for line in lines if line.is_displayed()]
        self.assertLessEqual(len(shown), 21)
        self.assertEqual(self.shown("#remedies th[scope=rowgroup]")[-1], "Your own changes")
        self.assertIn("training.completion_ns", self.text("#remedies p"))

        best = max((row for row in ran if table["kind"][row] == "cause"), key=lambda row: table["gain"][row] or 0)
        self.assertEqual(shown[0].find_element(By.TAG_NAME, "button").text, table["change"][best])
        gain, *words = shown[0].find_elements(By.TAG_NAME, "td")[1].text.split()
        self.assertAlmostEqual(number(gain), table["gain"][best], delta=0.01 * table["gain"][best])
        self.assertEqual(words, ["times", "faster"])
        one, end = (self.browser.execute_script("const b = arguments[0].querySelector(arguments[1]).getBoundingClientRect(); return b.right",
                                                shown[0], part) for part in (".one", ".fill"))
        self.assertGreater(end, one)

        link = next(line for line in lines if line.find_element(By.TAG_NAME, "button").get_property("textContent") == "link 0:4 at the rate of its peers")
        if not link.is_displayed():
            self.browser.find_elements(By.CSS_SELECTOR, "#remedies > div > p > button")[-1].send_keys(Keys.ENTER)
            self.assertTrue(all(line.is_displayed() for line in lines))
        button = link.find_element(By.TAG_NAME, "button")
        button.send_keys(Keys.SPACE)  # opens, and does not play
        self.assertEqual(self.text("#play"), "Play")
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        self.assertEqual(self.text("#remedies code"), """--set 'what_if.usual_rates=["0:4"]'""")
        self.element("#remedies tr.more button:not(.plain)").click()
        self.wait(lambda: self.text("#remedies tr.more [role=status]") in ("copied", "selected"))
        self.element("#remedies tr.more button.plain").click()
        self.rest()
        self.assertEqual(self.text("aside h2"), "Switch 0, port 4")
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.shown("#remedies code"), [])
        self.open("1q/view.html")
        self.assertFalse(self.element("#remedies").is_displayed())

    def damage(self, change, block="snapshots-0"):
        page = (self.folder / "1q" / "view.html").read_text()
        at = page.index(f'id="{block}">') + len(f'id="{block}">')
        end = page.index("<", at)
        data = base64.b64encode(change(base64.b64decode(page[at:end]))).decode()
        (self.folder / "damaged.html").write_text(page[:at] + data + page[end:])
        self.open("damaged.html", ready="failed")
        return self.text("#app")

    def test_a_page_that_cannot_be_shown_says_why(self):
        self.assertIn("cut off", self.damage(lambda data: data[: len(data) // 2]))
        self.assertIn("another version", self.damage(lambda data: data.replace(b"snapshots 1\n", b"snapshots 2\n")))
        self.assertIn("damaged", self.damage(lambda data: b"other" + data))
        path = {"row": [0], "last_row": [0], "from_ns": [0], "to_ns": [1], "waits_ns": [1], "at_switch": [99], "at_port": [0]}
        for job in ({"ranks": []}, {"ranks": [0], "stretches": {"row": [1]}}, {"ranks": [0], "path": path}):
            timeline = {"doings": ["computes"], "from_ns": 0, "to_ns": 1, "stretches": {}, "path": {}, **job}
            jobs = json.dumps([{"job": "x", "note": "", "timeline": timeline}]).encode()
            self.assertIn("jobs of this page are damaged", self.damage(
                lambda data, jobs=jobs: zlib.compress(zlib.decompress(data)[:-1] + b',"jobs":' + jobs + b"}"), "run-0"))


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
