import { PrismaPg } from '@prisma/adapter-pg'
import type { ClientBase } from 'pg'

const checkMilliseconds = 1_500

/**
 * Rejects connections to a server that only replicates, such as a former primary that came back: in its old data,
 * revoked sessions are still valid. PostgreSQL itself rejects only writes with this code.
 */
export async function requirePrimary(client: ClientBase): Promise<void> {
  const check = { text: 'SELECT pg_is_in_recovery() AS "standby"', query_timeout: checkMilliseconds }
  const { rows } = await client.query<{ standby: boolean }>(check)
  if (!rows[0]?.standby) return
  throw Object.assign(new Error('this server is a standby, not the primary'), { code: '25006', severity: 'FATAL' })
}

/**
 * Closes connections whose transaction has not ended because a statement timed out. Prisma returns them to the pool,
 * where those to a server that vanished would block until TCP gives up, after a quarter of an hour.
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
