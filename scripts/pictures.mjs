// Takes the pictures of README.md, docs/branding.md and docs/operators.md: the pages of the built product, in both themes.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { readEnvFiles } from '../lib/settings/env-files.mjs'
import { chromiumOptions } from '../tests/support/machine/find-chromium.mjs'
import { readOptions } from './support/command-line.mjs'

readOptions('npm run pictures --', 'Takes the pictures of README.md, docs/branding.md and docs/operators.md.')

const folder = 'docs/pictures'
const port = '4179'
const origin = `http://localhost:${port}`

/** The brand of docs/branding.md. */
const acme = { APP_NAME: 'Acme', APP_ACCENT: '#7a1fa2', TERMS_URL: '/terms', PRIVACY_URL: '/privacy' }

/** Empty, so that the server, which reads .env, has none of this machine's settings in its pictures. */
const withoutEnvFile = Object.fromEntries(Object.keys(readEnvFiles(process.cwd())).map((name) => [name, '']))

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(chromiumOptions())
await photograph({}, () => photographSignIn('latchkey'))
await photograph(acme, () => photographSignIn('branded'))
await photograph({ APP_NAME: 'Lovelace' }, photographHome)
await photograph({ APP_ORIGIN: origin }, photographAdministration)
await browser.close()

/**
 * Starts the product with these settings on an empty database, and photographs it.
 *
 * @param {Record<string, string>} settings
 * @param {(environment: NodeJS.ProcessEnv) => Promise<void>} takePictures gets what its commands run with
 */
async function photograph(settings, takePictures) {
  const data = mkdtempSync(join(tmpdir(), 'latchkey-pictures-'))
  const own = { PORT: port, HOST: '127.0.0.1', DATABASE_URL: `file:${data}/latchkey.db`, ...settings }
  const { PATH = '', HOME = '' } = process.env
  /** @type {NodeJS.ProcessEnv} */
  const environment = { ...withoutEnvFile, PATH, HOME, NODE_ENV: 'production', ...own }
  const server = spawn(process.execPath, ['build/server.mjs'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  try {
    await untilReady(server.stdout)
    await takePictures(environment)
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

/** @param {NodeJS.ProcessEnv} environment */
function commandsOf(environment) {
  return (/** @type {string[]} */ ...words) =>
    execFileSync(process.execPath, ['build/accounts.mjs', ...words], { env: environment, encoding: 'utf8' })
}

/** @param {string} name */
async function photographSignIn(name) {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1000, height: 820 } })
  const page = await context.newPage()
  await simulateFingerprintReader(await context.newCDPSession(page))
  await page.goto('/signin')
  await page.getByRole('button').first().waitFor()
  await inBothThemes(page, name)
  await context.close()
}

/**
 * The profile of a person with apps.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
async function photographHome(environment) {
  const run = commandsOf(environment)
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1000, height: 1110 } })
  const page = await context.newPage()
  await simulateFingerprintReader(await context.newCDPSession(page), { automaticPresenceSimulation: true })
  await page.goto('/signup')
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Create account with a passkey', exact: true }).click()
  await page.waitForURL(/\/welcome/)
  run('name', 'ada', 'Ada Lovelace')
  run('email', 'ada', 'ada@lovelace.example')
  run('group', 'add', 'family', 'ada')
  for (const [name = '', host = ''] of [
    ['Actual Budget', 'budget'],
    ['Home Assistant', 'home'],
    ['Immich', 'photos'],
    ['Jellyfin', 'films'],
    ['Mealie', 'kitchen'],
    ['Paperless', 'paper'],
  ]) {
    const home = `https://${host}.lovelace.example`
    run('app', 'add', name, `${home}/callback`, '--home', home)
  }
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Your apps' }).waitFor()
  await inBothThemes(page, 'home')
  await context.close()
}

/**
 * What a new administrator does first: adds an app, and invites somebody.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
async function photographAdministration(environment) {
  const run = commandsOf(environment)
  const [link = ''] = /http\S+/.exec(run('invite', '--admin')) ?? []
  run('group', 'add', 'family')
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1000, height: 820 } })
  const page = await context.newPage()
  await simulateFingerprintReader(await context.newCDPSession(page), { automaticPresenceSimulation: true })
  /** @param {string} name */
  const press = (name) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(link)
  await page.getByLabel('Username').fill('ada')
  await press('Create account with a passkey')
  await page.waitForURL(/\/welcome/)
  await page.goto('/admin/apps?add=Actual')
  await page.getByLabel('Address of Actual').fill('budget.example.com')
  await press('Add Actual')
  await page.getByRole('heading', { name: 'Enter these values in Actual' }).waitFor()
  await inBothThemes(page, 'app')
  await press("I've kept it")
  await page.getByRole('dialog').getByRole('button', { name: "I've kept it" }).click()
  await page.waitForURL('**/admin/apps/*')
  await page.goto('/admin/invitations?invite')
  await page.getByLabel('Who is it for?').fill('Grandma')
  await page.getByLabel('family').check()
  await press('Make the invitation')
  await page.getByRole('heading', { name: 'Send this link, or show the QR code' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await inBothThemes(page, 'invitation')
  await context.close()
}

/**
 * @param {import('playwright').Page} page
 * @param {string} name
 */
async function inBothThemes(page, name) {
  // Without the ring of the focused field, which would say that somebody is about to type.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme })
    // Colours take a moment to change.
    await page.waitForFunction(() => document.getAnimations().length === 0)
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  }
}

/**
 * Without one, the page offers the password first.
 *
 * @param {import('playwright').CDPSession} devtools
 * @param {{ automaticPresenceSimulation: boolean }} presence whether its owner's finger is on it
 */
async function simulateFingerprintReader(devtools, presence = { automaticPresenceSimulation: false }) {
  const capabilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true, ...presence }
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...capabilities },
  })
}
