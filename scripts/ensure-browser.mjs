// Installs Playwright's Chromium if the machine has no browser for the tests.
import { findChromium } from './find-chromium.mjs'
import { run } from './run.mjs'

if (findChromium() === undefined) run('playwright', 'install', 'chromium')
