// Takes the pictures of README.md and docs/branding.md: the pages of the built product, in both themes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { readEnvFiles } from '../lib/settings/env-files.mjs'
import { readOptions } from './command-line/read-options.mjs'
import { chromiumOptions } from './support/find-chromium.mjs'

readOptions('npm run pictures --', 'Takes the pictures of README.md and docs/branding.md.')

const folder = 'docs/pictures'
const port = '4179'
const origin = `http://localhost:${port}`

/** The brand of docs/branding.md. */
const acme = { APP_NAME: 'Acme', APP_ACCENT: '#7a1fa2', TERMS_URL: '/terms', PRIVACY_URL: '/privacy' }

/** Empty, so that the server, which reads .env, has none of this machine's settings in its pictures. */
const withoutEnvFile = Object.fromEntries(Object.keys(readEnvFiles(process.cwd())).map((name) => [name, '']))

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(chromiumOptions())
await photograph('latchkey', {})
await photograph('branded', acme)
await browser.close()

/**
 * Starts the product with these settings on an empty database, and photographs its sign-in page.
 *
 * @param {string} name
 * @param {Record<string, string>} settings
 */
async function photograph(name, settings) {
  const data = mkdtempSync(join(tmpdir(), 'latchkey-pictures-'))
  const environment = { PORT: port, HOST: '127.0.0.1', DATABASE_URL: `file:${data}/latchkey.db`, ...settings }
  const server = spawn(process.execPath, ['build/server.mjs'], {
    env: { ...withoutEnvFile, PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  try {
    await untilReady(server.stdout)
    await photographIn('light', `${folder}/${name}-light.png`)
    await photographIn('dark', `${folder}/${name}-dark.png`)
  } finally {
    server.kill()
    await exit
    rmSync(data, { recursive: true })
  }
}

/** @param {import('node:stream').Readable} output */
async function untilReady(output) {
  for await (const text of output) if (String(text).includes('ready')) return
  throw new Error('The server did not start.')
}

/**
 * @param {'light' | 'dark'} colorScheme
 * @param {string} path
 */
async function photographIn(colorScheme, path) {
  const context = await browser.newContext({ baseURL: origin, colorScheme, viewport: { width: 1000, height: 820 } })
  const page = await context.newPage()
  await simulateFingerprintReader(await context.newCDPSession(page))
  await page.goto('/signin')
  await page.getByRole('button').first().waitFor()
  // Without the ring of the focused field, which would say that somebody is about to type.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.screenshot({ path })
  await context.close()
}

/**
 * Without one, the page offers the password first.
 *
 * @param {import('playwright').CDPSession} devtools
 */
async function simulateFingerprintReader(devtools) {
  const capabilities = { hasResidentKey: true, hasUserVerification: true, automaticPresenceSimulation: false }
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...capabilities },
  })
}
