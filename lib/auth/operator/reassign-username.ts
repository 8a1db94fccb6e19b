import type { Database } from '@/lib/database/client'
import { insertIdentifier, markAsUsername, type UsernameChange, usernameTaken } from '../model/identifiers'
import { retiredDigests } from '../model/retired-usernames'

/** Any username that no account uses now, without a limit: an operator knows who it is for. */
export const operatorsUsernameChange: UsernameChange = {
  statements: (db, id, key) => [...releases(db, id, key), insertIdentifier(db, id, key), markAsUsername(db, id, key)],
  conflict: async (_db, _id, cause) => usernameTaken(cause),
}

export const releases = (db: Database, id: string, key: string) => [
  db.identifier.deleteMany({ where: { key, userId: { not: id }, username: false, email: false } }),
  db.retiredUsername.deleteMany({ where: { digest: { in: retiredDigests(key) } } }),
]

/** Of these, the usernames that `releases()` would free of former owners. Only a hint, which saves statements. */
export async function releasableUsernames(db: Database, keys: string[]): Promise<Set<string>> {
  const keysByDigest = new Map(keys.flatMap((key) => retiredDigests(key).map((digest) => [digest, key])))
  const [former, retired] = await Promise.all([
    db.identifier.findMany({ where: { key: { in: keys }, username: false, email: false }, select: { key: true } }),
    db.retiredUsername.findMany({ where: { digest: { in: [...keysByDigest.keys()] } }, select: { digest: true } }),
  ])
  return new Set([...former.map(({ key }) => key), ...retired.flatMap(({ digest }) => keysByDigest.get(digest) ?? [])])
}
