import { existsSync } from 'node:fs'

/** The path of the browser for the tests: CHROMIUM_PATH or an installed Chromium or Chrome; undefined if there is none. */
export function findChromium() {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return process.env.CHROMIUM_PATH ?? usual.find((path) => existsSync(path))
}
