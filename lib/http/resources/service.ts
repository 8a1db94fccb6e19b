import { openApiDocument } from '@/lib/api/openapi'
import { connection } from '@/lib/database/client'
import { readRows } from '@/lib/database/sql'
import { canWrite } from '@/lib/database/write-probe'
import { singleton } from '@/lib/process/singleton'
import { holdsWithin } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { forward } from '../remote-backend'
import { type Answer, json } from '../response/result'

/** Load balancers and orchestrators give up soon after this. */
const deadlineMilliseconds = 2_000

/** Answers 200 or 503, without details, because anyone may call. A front end is as healthy as its backend. */
export async function health(request: Request): Promise<Answer> {
  const { backendUrl } = settings()
  const serves = () => (backendUrl ? backendServes(request, backendUrl) : databaseServes())
  const status = (await holdsWithin(deadlineMilliseconds, serves)) ? 200 : 503
  return { status, headers: [['Cache-Control', 'no-store']], body: null }
}

const backendServes = async (request: Request, url: string) => (await forward(request, { bodyMode: 'ignored' }, url)).ok

/** True if the database has its tables and takes writes. */
async function databaseServes(): Promise<boolean> {
  // Starts before the read, so that the log tells of a database that does not answer at all.
  const writes = canWrite()
  await readRows`SELECT 1 FROM "User" LIMIT 1`
  return (await writes) && !(await connection()).mustRestart()
}

/** What the service offers, as an OpenAPI document. */
export const openApi = (): Answer =>
  json(
    singleton('openapi', () => JSON.stringify(openApiDocument(settings()))),
    { headers: [['Cache-Control', 'public, max-age=3600']] },
  )
