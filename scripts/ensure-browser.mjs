// Installs Playwright's Chromium if the machine has no browser for the tests.
import { runExecutable } from './support/executables.mjs'
import { findChromium } from './support/find-chromium.mjs'

if (findChromium() === undefined) runExecutable('playwright', 'install', 'chromium')
