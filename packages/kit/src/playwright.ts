import {
  test as base,
  expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { Passkey } from './testing/passkey.js'
import {
  addPasskey,
  createPerson,
  deletePerson,
  deleteSignedUp,
  followToApp,
  type Latchkey,
  type Person,
  type PersonOptions,
  personOfDev,
  removePasskey,
  sessionOf,
} from './testing/people.js'
import { controlPrompts, type PromptError, type Prompts } from './testing/prompts.js'
import { Visitor } from './testing/visitor.js'

export type { Latchkey, Person, PersonOptions, PromptError, Prompts }
export { expect }

export interface LatchkeyOptions {
  /** The Latchkey that people belong to; without it the `latchkey dev` of this folder */
  latchkey: Latchkey
  /** One of the people of `latchkey dev`, who is signed in from the start */
  as: string | undefined
}

export interface LatchkeyFixtures {
  /** Signs somebody new up, and deletes the account at the end of the test. */
  person: (options?: PersonOptions) => Promise<Person>
  /** Somebody whom the tests of a worker share */
  sharedPerson: Person
  /** Signs the browser in to Latchkey, as this person or one of the people of `latchkey dev`. */
  signIn: (person: Person | string) => Promise<void>
  /**
   * Signs the browser in to an app, as the person who is signed in to Latchkey.
   *
   * @param url of a page that redirects to the sign-in; relative to `baseURL`
   * @returns where it ended
   */
  signInTo: (url: string) => Promise<string>
  /** Answers the browser's passkey prompts, for the people whom the test makes and signs in. */
  passkey: Prompts
}

/** What a test's fixtures tell each other. */
interface Stage {
  signedIn: Person | undefined
  /** The test makes them, and they go with it. */
  made: Person[]
  /** Whom the test has made or signed in. */
  met: Set<Person>
  /** Gives a person's passkey to the browser, where the test uses `passkey`. */
  onMeeting: (person: Person) => Promise<void>
}

/** What a worker keeps of people, for each Latchkey, since that is an option of a test. */
interface People {
  ofDev: (username: string, latchkey: Latchkey) => Person
  shared: (latchkey: Latchkey) => Promise<Person>
}

async function meet(stage: Stage, person: Person) {
  stage.met.add(person)
  await stage.onMeeting(person)
}

/** Playwright's `test` with people of Latchkey and their passkeys. */
export const test = base.extend<LatchkeyOptions & LatchkeyFixtures & { _stage: Stage }, { _people: People }>({
  latchkey: [{}, { option: true }],
  as: [undefined, { option: true }],

  _people: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const dev = new Map<string, Person>()
      const shared = new Map<string, Promise<Person>>()
      await use({
        // The same object each time, because its session is kept with it.
        ofDev: (username, latchkey) =>
          keptIn(dev, `${latchkey.url} ${username}`, () => personOfDev(username, latchkey)),
        shared: (latchkey) => keptIn(shared, JSON.stringify(latchkey), () => createPerson({}, latchkey)),
      })
      const made = (await Promise.allSettled(shared.values())).filter((outcome) => outcome.status === 'fulfilled')
      await Promise.all(made.map(({ value }) => deletePerson(value)))
    },
    { scope: 'worker' },
  ],

  // Deletes people after all other fixtures of the test, which may need them, have ended.
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  _stage: async ({}, use) => {
    const stage: Stage = { signedIn: undefined, made: [], met: new Set(), onMeeting: async () => {} }
    await use(stage)
    await Promise.all(stage.made.map(deletePerson))
  },

  context: async ({ context, as, latchkey, _people, _stage }, use) => {
    if (as !== undefined) {
      _stage.signedIn = _people.ofDev(as, latchkey)
      await context.addCookies((await sessionOf(_stage.signedIn)).visitor.cookies)
      await meet(_stage, _stage.signedIn)
    }
    await use(context)
  },

  person: async ({ latchkey, _stage }, use) =>
    use(async (options = {}) => {
      const person = await createPerson(options, latchkey)
      if (!options.keep) _stage.made.push(person)
      await meet(_stage, person)
      return person
    }),

  sharedPerson: async ({ latchkey, _people }, use) => use(await _people.shared(latchkey)),

  signIn: async ({ context, latchkey, _people, _stage }, use) =>
    use(async (who) => {
      const person = typeof who === 'string' ? _people.ofDev(who, latchkey) : who
      await context.addCookies((await sessionOf(person)).visitor.cookies)
      _stage.signedIn = person
      await meet(_stage, person)
    }),

  signInTo: async ({ context, baseURL, _stage }, use) =>
    use(async (url) => {
      const { signedIn } = _stage
      if (!signedIn)
        throw new Error("Nobody is signed in: call signIn(await person()) before signInTo, or test.use({ as: 'ada' }).")
      const { cookies } = (await sessionOf(signedIn)).visitor
      const visitor = new Visitor([...(await context.cookies()), ...cookies])
      const end = await followToApp(new URL(url, baseURL), signedIn, visitor)
      await context.addCookies(visitor.cookies)
      return end.href
    }),

  passkey: async ({ context, latchkey, _stage }, use) => {
    const added = new Map<Person, Passkey>()
    const { prompts, hold, everyKey } = await controlPrompts(context)
    _stage.onMeeting = async (person) => {
      // One of its own, since a key whose uses two authenticators count looks like a copy.
      const passkey = added.get(person) ?? (await addPasskey(person))
      added.set(person, passkey)
      await hold(passkey)
    }
    for (const person of _stage.met) await _stage.onMeeting(person)
    await use(prompts)
    const own = new Set([...added.values()].map(({ credentialId }) => credentialId))
    const ofPages = (await everyKey()).filter(({ id }) => !own.has(id))
    await Promise.all(ofPages.map((key) => deleteSignedUp(key, latchkey)))
    const stay = [...added].filter(([person]) => !_stage.made.includes(person))
    await Promise.all(stay.map(([person, passkey]) => removePasskey(person, passkey)))
  },
}) as TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & LatchkeyOptions & LatchkeyFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

function keptIn<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
