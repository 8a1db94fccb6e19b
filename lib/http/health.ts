import { databaseAnswers } from '@/lib/database/health'

/** Whether this instance can serve: 200 or 503 and no details, because anyone may ask. */
export async function health(): Promise<Response> {
  const status = (await databaseAnswers()) ? 200 : 503
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } })
}
