import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'

/** The path of Firefox: FIREFOX_PATH or an installed one; undefined if there is none. */
export const findFirefox = () =>
  process.env.FIREFOX_PATH ??
  ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'].find((path) =>
    existsSync(path),
  )

/** Starts Firefox without a window, driven by WebDriver BiDi, which Playwright's own API does not do yet. */
export function launchFirefox(executablePath: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      // Firefox looks for updates and studies at its start.
      'app.normandy.enabled': false,
      'app.update.disabledForTesting': true,
      // Over the page, as in Playwright's Chromium, so that both have the same width for it.
      'widget.gtk.overlay-scrollbars.enabled': true,
      'ui.useOverlayScrollbars': 1,
    },
  })
}
