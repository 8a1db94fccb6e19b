import { existsSync } from 'node:fs'

/** The browser of this machine that tests may use: CHROMIUM_PATH, or where Linux distributions put it; else undefined. */
export function findChromium() {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return process.env.CHROMIUM_PATH ?? usual.find((path) => existsSync(path))
}
