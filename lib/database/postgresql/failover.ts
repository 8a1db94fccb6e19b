import { PrismaPg } from '@prisma/adapter-pg'
import type { ClientBase } from 'pg'

const checkMilliseconds = 1_500

/**
 * Rejects a new connection to a server that only replicates, such as a former primary that came back: its old data would
 * have sessions that are revoked by now. PostgreSQL itself answers only writes with this code.
 */
export async function requirePrimary(client: ClientBase): Promise<void> {
  const check = { text: 'SELECT pg_is_in_recovery() AS "standby"', query_timeout: checkMilliseconds }
  const { rows } = await client.query<{ standby: boolean }>(check)
  if (!rows[0]?.standby) return
  throw Object.assign(new Error('this server is a standby, not the primary'), { code: '25006', severity: 'FATAL' })
}

/**
 * Closes connections whose transaction has not ended, because a statement in it timed out. Prisma returns them to the pool,
 * where a server that is gone without a word would block them until TCP gives up, after a quarter of an hour.
 */
export class FailoverPg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    adapter.underlyingDriver().on('release', (_error, client) => {
      if (client.getTransactionStatus() !== 'I') void client.end()
    })
    return adapter
  }
}
