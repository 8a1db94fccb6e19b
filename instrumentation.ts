/** Runs once when Next starts: a wrong setting or a database that cannot be migrated must stop the start, not the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { start } = await import('@/lib/lifecycle')
  await start()
  const { warnOfUnknownAddresses } = await import('@/lib/http/client-address')
  warnOfUnknownAddresses()
}
