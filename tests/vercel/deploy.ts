import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { startPostgres } from '../support/storage/postgres'
import { buildForVercel } from './build'
import { startFront } from './front'
import { Functions } from './functions'

/** The public address. The deployment listens on DEPLOYMENT_URL, behind what would end https. */
export const origin = 'https://id.example.com'

/** Builds and serves Latchkey once for all tests. Returns the teardown. */
export default async function deploy() {
  const folder = realpathSync(temporaryFolder('vercel'))
  const ends: (() => Promise<unknown>)[] = []
  async function end() {
    for (const step of ends.reverse()) await step()
  }
  try {
    const postgres = await startPostgres()
    ends.push(() => postgres.stop())
    const settings = {
      DATABASE_URL: postgres.createDatabase(),
      JWT_SECRET: randomBytes(48).toString('base64'),
      APP_ORIGIN: origin,
    }
    const source = join(folder, 'source')
    mkdirSync(source)
    const node = buildForVercel(source, settings)
    const functions = new Functions({ source, folder: join(folder, 'functions'), node, settings })
    ends.push(() => functions.stop())
    const front = await startFront(join(source, '.vercel/output'), functions)
    ends.push(front.close)
    process.env.DEPLOYMENT_URL = front.url
    return end
  } catch (error) {
    await end()
    throw error
  }
}
