// Installs Playwright's Chromium if the machine has no browser for the tests.

import { run } from './build/run.mjs'
import { findChromium } from './find-chromium.mjs'

if (findChromium() === undefined) run('playwright', 'install', 'chromium')
