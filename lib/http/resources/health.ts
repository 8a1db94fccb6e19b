import { connection } from '@/lib/database/client'
import { readRows } from '@/lib/database/direct-sql'
import { holdsWithin } from '@/lib/process/result-within'
import { settings } from '@/lib/settings/settings'
import { forward } from '../remote-backend/forward'

/** Load balancers and orchestrators give up soon after this. */
const deadlineMilliseconds = 2_000

/** 200 or 503, without details, because anyone may call. A front end is as healthy as its backend. */
export async function health(request: Request): Promise<Response> {
  const { backendUrl } = settings()
  const serves = () => (backendUrl ? backendServes(request, backendUrl) : databaseServes())
  const status = (await holdsWithin(deadlineMilliseconds, serves)) ? 200 : 503
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store' } })
}

const backendServes = async (request: Request, url: string) => (await forward(request, 'ignored', url)).ok

/** A database without migrations counts as unavailable, as does one that this process can no longer write to. */
async function databaseServes(): Promise<boolean> {
  await readRows`SELECT 1 FROM "User" LIMIT 1`
  return !(await connection()).mustRestart()
}
