import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { button, place, ready, signedOut, submitSignIn } from '../support/browser/pages'
import { test as base } from '../support/fixtures'
import { freePort, untilConnectable } from '../support/machine/ports'
import { endProcess, killOnExit } from '../support/machine/processes'
import { type RegisteredApp, registerApp } from '../support/openid/fixtures'
import { accountsJson } from '../support/operator/accounts-command'
import type { Server } from '../support/server/server'
import { folder } from './install'

export { expect }

/** An app that is registered, before its program runs. */
export interface App extends RegisteredApp {
  port: number
  origin: string
  /** What its program finds in its environment. */
  env: Record<string, string>
  /** Starts its program and waits until it answers. */
  run(command: string, words: string[], env?: Record<string, string>): Promise<void>
  /** Answers in this process, without a program. */
  serve(listener: RequestListener): Promise<void>
}

interface Registration {
  /** The path of its redirect URI */
  callback?: string
  /** The path where people come back to after signing out */
  signedOut?: string
  options?: string[]
}

interface Program {
  /** What it has written so far */
  output(): string
  write(line: string): void
}

interface Fixtures {
  register: (registration?: Registration) => Promise<App>
  /** Starts a program, and waits until it listens if it gets a port to listen at. */
  run: (command: string, words: string[], env: Record<string, string>) => Promise<Program>
}

export const test = base.extend<Fixtures>({
  baseURL: async ({ server }, use) => use(server.origin),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  run: async ({}, use, testInfo) => {
    const stops: (() => unknown)[] = []
    await use(async (command, words, env) => {
      const started = launch(command, words, env)
      stops.push(async () => {
        await started.stop()
        if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('output', { body: started.output() })
      })
      if (env.PORT)
        await untilConnectable(Number(env.PORT), started.child).catch((error) => {
          throw new Error(`${error.message}\n${started.output()}`)
        })
      return { output: started.output, write: (line) => started.child.stdin.write(`${line}\n`) }
    })
    for (const stop of stops) await stop()
  },
  register: async ({ server, run: runProgram }, use) => {
    const stops: (() => unknown)[] = []
    await use(async ({ callback = '/callback', signedOut: path = '/signed-out', options = [] } = {}) => {
      const port = await freePort()
      // Not localhost, which is Latchkey's here: hosts share cookies whatever the port.
      const origin = `http://127.0.0.1:${port}`
      const words = [`${origin}${callback}`, '--sign-out-uri', `${origin}${path}`, ...options]
      const app = await registerApp(server, ...words)
      const env = {
        APP: origin,
        PORT: `${port}`,
        ISSUER: server.origin,
        CLIENT_ID: app.id,
        CLIENT_SECRET: app.secret ?? '',
      }
      const run: App['run'] = async (command, words, more) => {
        await runProgram(command, words, { ...env, ...more })
      }
      const serve: App['serve'] = async (listener) => {
        const started = createServer(listener)
        stops.push(() => started.close().closeAllConnections())
        await once(started.listen(port, '127.0.0.1'), 'listening')
      }
      return { ...app, port, origin, env, run, serve }
    })
    for (const stop of stops) await stop()
  },
})

function launch(command: string, words: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env
  const settings = { PATH, HOME, NODE_ENV: 'production', ...env } as unknown as NodeJS.ProcessEnv
  const child = spawn(command, words, { cwd: folder, env: settings })
  killOnExit(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const stop = async () => {
    const stubborn = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await endProcess(child, 'SIGTERM')
    clearTimeout(stubborn)
  }
  return { child, stop, output: () => output }
}

/** Runs one of the apps beside this file. */
export const runApp = (app: App, file: string, env?: Record<string, string>) =>
  app.run(process.execPath, [join('apps', file)], env)

export interface Person {
  id: string
  username: string
}

/** Somebody with an account and a verified address, who is not signed in in this browser. */
export async function newPerson(page: Page, server: Server): Promise<Person> {
  const username = await signedOut(page)
  const { user } = await accountsJson(server, 'email', username, `${username}@example.com`)
  return { id: user.id, username }
}

const link = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).or(page.getByRole('button', { name, exact: true }))

/** From the app's page through Latchkey's to the app, which then shows who is there. */
export async function signIn(page: Page, app: App, person: Person, words = ['Sign in']) {
  await page.goto(app.origin)
  for (const word of words) await link(page, word).click()
  await throughLatchkey(page, app, person)
  await expect(page.getByText(`Signed in as ${person.username}`)).toBeVisible()
}

/** From Latchkey's sign-in page through consent to the app. */
export async function throughLatchkey(page: Page, app: App, person: Person) {
  await page.waitForURL((url) => url.pathname === '/signin')
  await ready(page)
  await expect(page.getByRole('main')).toContainText(`Sign in to continue to ${app.name}.`)
  await submitSignIn(page, person.username)
  await expect(page.getByRole('heading', { name: `Sign in to ${app.name}` })).toBeVisible()
  await ready(page)
  await button(page, 'Continue').click()
  await page.waitForURL((url) => url.origin === app.origin)
}

/** The app knows the account by its id, which never changes. */
export const expectBound = (page: Page, { id }: Person) => expect(page.locator('i')).toHaveText(id)

/** The app gets another access token, which Latchkey takes. */
export async function refresh(page: Page, person: Person) {
  const token = page.locator('code')
  const before = (await token.textContent()) ?? ''
  expect(before).not.toBe('')
  await link(page, 'Refresh').click()
  await expect(token).not.toHaveText(before)
  await expect(page.getByText(`Signed in as ${person.username}`)).toBeVisible()
}

/** Out of the app and of Latchkey, and back at the app. */
export async function signOut(page: Page, app: App, words = ['Sign out']) {
  for (const word of words) await link(page, word).click()
  await page.waitForURL((url) => url.origin === app.origin)
  await expect(link(page, 'Sign in')).toBeVisible()
  await page.goto('/profile')
  expect(place(page)).toMatch(/^\/signin/)
}
