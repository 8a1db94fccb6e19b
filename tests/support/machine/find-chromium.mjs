import { existsSync } from 'node:fs'

/** @param {string[]} paths */
const firstOf = (...paths) => process.env.CHROMIUM_PATH ?? paths.find((path) => existsSync(path))

/** The path of an installed Chromium or Chrome, or CHROMIUM_PATH; undefined if there is none. */
export const findChromium = () => firstOf('/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome')

/**
 * How to launch the whole browser: the installed one if there is one, else Playwright's own.
 *
 * @param {string[]} args
 */
export const chromiumOptions = (...args) => launchOptions(findChromium() ?? { channel: 'chromium' }, args)

/**
 * How to launch Chromium without its windows and menus, which takes half the processor time; the whole browser where
 * only that is installed.
 *
 * @param {string[]} args
 */
export const headlessShellOptions = (...args) =>
  // Playwright's own is its headless shell unless a channel is named.
  launchOptions(firstOf('/usr/bin/chromium-headless-shell') ?? findChromium() ?? {}, args)

/**
 * @param {string | { channel?: string }} browser a path, or which of Playwright's own
 * @param {string[]} args
 */
function launchOptions(browser, args) {
  // Chromium's sandbox does not start for root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { ...(typeof browser === 'string' ? { executablePath: browser } : browser), args: [...asRoot, ...args] }
}
