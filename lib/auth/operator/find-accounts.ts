import { database } from '@/lib/database/client'
import { type UserRow, usernameKey } from '../model/accounts'

/**
 * The accounts that an operator may mean: by id, by username without regard to case, or either. No id and no username
 * contains a colon.
 *
 * @param reference `id:<id>`, `name:<username>`, or an id or username, which may be those of two accounts
 */
export async function findAccounts(reference: string): Promise<UserRow[]> {
  const [, kind, given = reference] = /^(id|name):(.*)$/s.exec(reference) ?? []
  const byId = kind === 'name' ? [] : [{ id: given }]
  const byName = kind === 'id' ? [] : [{ usernameKey: usernameKey(given) }]
  const db = await database()
  const select = { id: true, username: true, createdAt: true } as const
  return db.user.findMany({ where: { OR: [...byId, ...byName] }, select })
}
