import { existsSync } from 'node:fs'

/** The path of the browser for the tests: CHROMIUM_PATH or an installed Chromium or Chrome; undefined if there is none. */
export function findChromium() {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return process.env.CHROMIUM_PATH ?? usual.find((path) => existsSync(path))
}

/**
 * How to launch it: the installed browser if there is one, else Playwright's own.
 *
 * @param {string[]} args
 */
export function chromiumOptions(...args) {
  const executablePath = findChromium()
  // Chromium's sandbox does not start for root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { ...(executablePath !== undefined && { executablePath }), args: [...asRoot, ...args] }
}
