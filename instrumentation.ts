/** Next calls this once at start, so an invalid setting or a failed migration stops the start instead of the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { ownServerRuns } = await import('@/lib/process/own-server')
  // server.ts has done all of this, and a second copy of the modules would cost each start time and memory.
  if (ownServerRuns()) return
  const { start } = await import('@/lib/lifecycle')
  await start()
  const { measureRequests, secureEveryExchange } = await import('@/lib/http/server/every-exchange')
  measureRequests()
  // On Vercel, next.config.mjs sets these headers; set here, they would replace the policy that proxy.ts gives to pages.
  if (!process.env.VERCEL) secureEveryExchange()
  const { warnOfUnknownAddresses } = await import('@/lib/http/request/addresses')
  warnOfUnknownAddresses()
}
