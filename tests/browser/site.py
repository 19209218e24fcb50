#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the site from its files, as a reader without a server does, and checks what its build cannot see.

- The search finds terms, keys and metrics by their names, first of all.
- No page asks for anything outside of the site.
- Code keeps its right end in wide windows.
- No page is wider than a narrow window, and the colours follow the browser.
- The live pages draw.
- A page leads to the list of versions, and from there back.

usage: tests/browser/site.py SITE      (the folder that `./dev site` writes)
"""

import json
import re
import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

SITES = Path(sys.argv[1]).resolve()
SITE = SITES / re.search(r"url=([\d.]+)/", (SITES / "index.html").read_text())[1]
FOUND = {
    "head-of-line blocking": "docs/waiting.html#head-of-line-blocking",
    "switch.scheme": "docs/keys.html#key-switch.scheme",
    "latency_p99_ns": "docs/metrics.html#metric-latency_p99_ns",
    "obqa": "docs/families.html#obqa",
}
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def browser():
    options = webdriver.ChromeOptions()
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files"):
        options.add_argument(flag)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def window(driver, width, scheme):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def check_search(driver):
    for query, first in FOUND.items():
        driver.get((SITE / "search.html").as_uri() + "?q=" + query.replace(" ", "%20"))
        deadline = time.monotonic() + 30
        links = []
        while not links and time.monotonic() < deadline:
            time.sleep(0.2)
            links = driver.execute_script(
                "return [...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))"
            )
        expect(links[:1] == [first], f"the search for {query!r} finds {links[:3]}, not {first}")


def check_pages(driver):
    for scheme, dark in (("light", False), ("dark", True)):
        for width in (390, 1400):
            window(driver, width, scheme)
            for page in sorted(SITE.glob("**/*.html")):
                if {"cpp", "live"} & set(page.relative_to(SITE).parts) or (dark and width == 390):
                    continue
                driver.get(page.as_uri())
                name = f"{page.relative_to(SITE)}, {width} wide, {scheme}"
                wider = driver.execute_script(
                    "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
                )
                expect(wider <= 0, f"{name}: {wider} pixels too wide")
                colour = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                expect((colour != "rgb(255, 255, 255)") == dark, f"{name}: its background is {colour}")
                cut = driver.execute_script(
                    "return [...document.querySelectorAll('article pre')].filter(e => e.scrollWidth > e.clientWidth).length"
                )
                expect(width == 390 or cut == 0, f"{name}: {cut} blocks of code lose their right end")
                check_requests(driver, name)


def check_requests(driver, name):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            expect(address.startswith((SITES.as_uri() + "/", "data:", "blob:")), f"{name} asks for {address}")


def check_live_pages(driver):
    window(driver, 1400, "light")
    for page in sorted((SITE / "live").glob("*.html")):
        driver.get(page.as_uri())
        time.sleep(1)
        expect(driver.find_elements("css selector", "canvas, svg"), f"{page.name} draws nothing")


def check_versions(driver):
    window(driver, 1400, "light")
    driver.get((SITE / "docs/keys.html").as_uri())
    driver.find_element("css selector", ".versions a").click()
    versions = [link.text for link in driver.find_elements("css selector", "li a")]
    expect(f"Headway {SITE.name}" in versions, f"the list of versions is {versions}, without {SITE.name}")
    driver.find_element("link text", f"Headway {SITE.name}").click()
    expect(driver.current_url.endswith(f"/{SITE.name}/index.html"), f"the list of versions leads to {driver.current_url}")


def main():
    driver = browser()
    try:
        check_search(driver)
        check_pages(driver)
        check_live_pages(driver)
        check_versions(driver)
    finally:
        driver.quit()
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"the site in a browser: {len(failures)} failures")
    sys.exit(bool(failures))


main()
