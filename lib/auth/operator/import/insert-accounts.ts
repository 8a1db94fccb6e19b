import type { Database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { transaction } from '@/lib/database/transaction'
import { freshEpoch } from '../../model/accounts'
import { emailKey } from '../../model/email'
import { insertIdentifiers } from '../../model/identifiers'
import { announceCreation, isAmong } from '../../webhooks/announce'
import { releases } from '../reassign-username'
import type { ImportedAccount } from './row'

/** @param releasable what `releasableUsernames()` found @returns false if a unique key is taken; nothing was written */
export async function insertAccounts(
  db: Database,
  accounts: ImportedAccount[],
  releasable: Set<string>,
): Promise<boolean> {
  if (accounts.length === 0) return true
  try {
    const statements = accounts.flatMap(({ user, passkeys }) => [
      insertion(db, user),
      ...passkeys.map((passkey) => passkeyInsertion(db, passkey)),
      ...(releasable.has(user.usernameKey) ? releases(db, user.id, user.usernameKey) : []),
      ...insertIdentifiers(db, user.id, { username: user.usernameKey, email: user.email && emailKey(user.email) }),
    ])
    const announcement = announceCreation(db, isAmong(accounts.map(({ user }) => user.id)))
    await transaction(db, { statements, announcement })
    return true
  } catch (error) {
    // Insert and catch: a concurrent sign-up wins.
    if (isConflict(error)) return false
    throw error
  }
}

// Both are raw, because Prisma would compile and cache a plan for every distinct batch.
// The id may be a deleted account's: its session, step-up and device tokens carry an older epoch.
const insertion = (db: Database, user: ImportedAccount['user']) => db.$executeRaw`
  INSERT INTO "User" ("id", "userHandle", "username", "usernameKey", "passwordHash", "passwordSetAt", "createdAt", "email", "sessionEpoch")
  VALUES (${user.id}, ${user.userHandle}, ${user.username}, ${user.usernameKey}, ${user.passwordHash}, ${user.passwordSetAt},
    ${user.createdAt}, ${user.email}, ${freshEpoch()})`

const passkeyInsertion = (db: Database, passkey: ImportedAccount['passkeys'][number]) => db.$executeRaw`
  INSERT INTO "Passkey" ("id", "userId", "userHandle", "name", "publicKey", "counter", "transports", "deviceType",
    "backedUp", "aaguid", "userVerified", "createdAt")
  VALUES (${passkey.id}, ${passkey.userId}, ${passkey.userHandle}, ${passkey.name}, ${passkey.publicKey},
    ${passkey.counter}, ${passkey.transports}, ${passkey.deviceType}, ${passkey.backedUp}, ${passkey.aaguid},
    ${passkey.userVerified}, ${passkey.createdAt})`

/** @returns why the row was not inserted; `reason` is null if the account exists already */
export async function conflictOf(
  db: Database,
  { user, passkeys }: ImportedAccount,
): Promise<{ reason: string | null }> {
  const [name, id] = await Promise.all([
    db.user.findUnique({ where: { usernameKey: user.usernameKey }, select: { id: true } }),
    db.user.findUnique({ where: { id: user.id }, select: { id: true } }),
  ])
  if (name) return { reason: null }
  if (id) return { reason: 'id: is that of another account' }
  const claimed = await claimedKeys(db, [user.usernameKey, ...(user.email ? [emailKey(user.email)] : [])])
  if (claimed.has(user.usernameKey)) return { reason: 'username: is the e-mail address of another account' }
  if (claimed.size > 0) return { reason: 'email: is the e-mail address or a username of another account' }
  const ids = passkeys.map((passkey) => passkey.id)
  const taken = await db.passkey.findFirst({ where: { id: { in: ids } }, select: { id: true } })
  if (!taken) return { reason: 'the row: conflicts with a change that has since been undone; run the import again' }
  return { reason: `passkeys[${ids.indexOf(taken.id)}].id: is that of another account's passkey` }
}

async function claimedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.identifier.findMany({ where: { key: { in: keys } }, select: { key: true } })
  return new Set(rows.map(({ key }) => key))
}
