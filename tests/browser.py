"""One Chromium for the whole test session, driven over Playwright's async API.

The sync API would keep a loop running in the main thread and break every later async test.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
# No sandbox: CI runs as root. The rest keeps Chromium quiet and off the network.
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def executable() -> str | None:
    """Return the browser's path; without one, skip the test, or fail if a browser is required."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing = pytest.fail if os.environ.get("RIDOTTO_BROWSER_REQUIRED") == "1" else pytest.skip
        missing(f"no browser: none of {', '.join(NAMES)} is on the PATH")
    return path


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = executable()
    from playwright.async_api import async_playwright  # slow to import, and only these tests need it

    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=path, args=ARGS)
        yield chromium
        await chromium.close()


async def lay(page: Page, bet: str) -> None:
    """Make a bet by its key, such as "bet ante 50", picking up its chip first."""
    button = page.locator(f'[data-key="{bet}"]').first
    await button.wait_for(state="attached")
    if not await button.is_visible():
        (number, *_others) = re.findall(r"nth-(\d+)", await button.get_attribute("class") or "")
        await page.locator(f'.rail [data-chip="{number}"]').click()
    await page.locator(f'[data-key="{bet}"]:not([aria-disabled])').first.click()
