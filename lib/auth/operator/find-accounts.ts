import { database } from '@/lib/database/client'
import { type UserRow, usernameKey } from '../model/accounts'
import { readReference } from './read-reference'

/** @param reference `id:<id>`, `name:<username>`, or either without a prefix, which may match two accounts */
export async function findAccounts(reference: string): Promise<UserRow[]> {
  const { kind, given } = readReference(reference)
  const byId = kind === 'name' ? [] : [{ id: given }]
  const byName = kind === 'id' ? [] : [{ usernameKey: usernameKey(given) }]
  const db = await database()
  const select = { id: true, username: true, createdAt: true } as const
  return db.user.findMany({ where: { OR: [...byId, ...byName] }, select })
}
