// Fetches Playwright's own Chromium where the machine has none (quick when that was done before).
import { findChromium } from './find-chromium.mjs'
import { run } from './run.mjs'

if (findChromium() === undefined) run('playwright', 'install', 'chromium')
