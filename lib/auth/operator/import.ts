import { setTimeout as pause } from 'node:timers/promises'
import { inBatches, type Pace } from '@/lib/database/batches'
import { type Database, database, transaction } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { statement } from '@/lib/database/sql'
import { isExpensive } from '@/lib/fair-queue/lanes'
import { settings } from '@/lib/settings/settings'
import { emailKey, freshEpoch } from '../account'
import { insertIdentifiers, releasableUsernames, releases } from '../accounts/identifiers'
import { logChange } from '../events/operators-log'
import { announceCreation, isAmong } from '../events/webhooks'
import { comparisonWork } from '../passwords/imported-hash'
import { type ImportedAccount, isWeak, readRow } from './import-format'
import type { Operator } from './operator'

export interface ImportProgress {
  bytes: number
  created: number
  /** Rows skipped because their username exists already. */
  existing: number
  rejected: number
  /** Created accounts whose password takes at least twice as long to compare as one of ours. */
  dearer: number
  /** Created accounts whose password hash is easier to crack than guidelines allow */
  weak: number
}

interface Watcher {
  rejected(line: number, reason: string): void
  progress(progress: ImportProgress): void
}

/** Fewer than 50 rows would hold the lock as long: the rest is the disk's time. */
const pace = { min: 50, max: 100, aimMilliseconds: 20 } satisfies Partial<Pace>

type Row = ImportedAccount & { line: number }

/** NDJSON (docs/migrate.md), in batches beside a running server. An interrupted import can be run again. */
export async function importAccounts(
  operator: Operator,
  input: AsyncIterable<Buffer>,
  watcher: Watcher,
): Promise<ImportProgress> {
  const done = { bytes: 0, created: 0, existing: 0, rejected: 0, dearer: 0, weak: 0 }
  const reject = (line: number, reason: string) => {
    done.rejected += 1
    watcher.rejected(line, reason)
  }
  const rows = validRows(
    linesOf(input, (bytes) => (done.bytes += bytes)),
    reject,
  )
  const db = await database()
  try {
    await inBatches(async (size) => {
      const batch = await take(rows, size)
      if (batch.length === 0) return { isLast: true }
      const lockMilliseconds = await write(db, batch, done, reject)
      watcher.progress(done)
      return { isLast: false, lockMilliseconds }
    }, pace)
  } catch (error) {
    if (done.created > 0) await logImport(operator, done)
    throw error
  }
  await logImport(operator, done)
  return done
}

const logImport = (operator: Operator, { created }: ImportProgress) =>
  logChange(operator, 'accounts_imported', { count: created })

/** Three times the longest valid row, which has 50 passkeys with the longest ids and keys. */
const longestLine = 1024 * 1024

interface Line {
  line: number
  /** null if it is too long to be a row */
  text: string | null
}

/** Skips blank lines. Keeps at most one line in memory, and nothing of one that is too long. */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  consumed: (bytes: number) => void = () => undefined,
): AsyncGenerator<Line> {
  let line = 1
  let length = 0
  let parts: Buffer[] = []
  const take = (part: Buffer) => {
    length += part.length
    if (length <= longestLine) parts.push(part)
    else parts = []
  }
  const end = (): Line | null => {
    // Some editors begin a file with a byte order mark.
    const text = Buffer.concat(parts)
      .toString()
      .replace(/^\uFEFF/, '')
      .trim()
    const found = length > longestLine ? { line, text: null } : text === '' ? null : { line, text }
    line += 1
    length = 0
    parts = []
    return found
  }
  for await (const chunk of input) {
    let start = 0
    for (let stop = chunk.indexOf(0x0a); stop >= 0; stop = chunk.indexOf(0x0a, start)) {
      take(chunk.subarray(start, stop))
      start = stop + 1
      const found = end()
      if (found) yield found
    }
    take(chunk.subarray(start))
    consumed(chunk.length)
  }
  const last = end()
  if (last) yield last
}

async function* validRows(lines: ReturnType<typeof linesOf>, reject: Watcher['rejected']): AsyncGenerator<Row> {
  for await (const { line, text } of lines) {
    const read = text === null ? { reason: 'the row: is longer than 1 MiB' } : readRow(text)
    if ('reason' in read) reject(line, read.reason)
    else yield { line, ...read.account }
  }
}

async function take<T>(rows: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = await rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** @returns milliseconds of holding the write lock, without those that it has paused for */
async function write(db: Database, batch: Row[], done: ImportProgress, reject: Watcher['rejected']): Promise<number> {
  const names = batch.map(({ user }) => user.usernameKey)
  // Only a hint, so that repeating an import is cheap: on insert, the unique keys decide.
  const existing = await db.user.findMany({ where: { usernameKey: { in: names } }, select: { usernameKey: true } })
  const taken = new Set(existing.map(({ usernameKey }) => usernameKey))
  const rows = batch.filter(({ user }) => !taken.has(user.usernameKey))
  done.existing += batch.length - rows.length
  const releasable = await releasableUsernames(db, names)
  const start = performance.now()
  const inserted = await insertAccounts(db, rows, releasable)
  const lockMilliseconds = performance.now() - start
  if (inserted) {
    countCreated(done, rows)
    return lockMilliseconds
  }
  await pause(lockMilliseconds)
  for (const row of rows) {
    const rowStart = performance.now()
    const conflict = (await insertAccounts(db, [row], releasable)) ? null : await conflictOf(db, row)
    if (conflict === null) countCreated(done, [row])
    else if (conflict.reason === null) done.existing += 1
    else reject(row.line, conflict.reason)
    await pause(performance.now() - rowStart)
  }
  return 0
}

function countCreated(done: ImportProgress, rows: Row[]) {
  const cost = settings().bcryptCost
  const hasExpensiveHash = ({ passwordHash }: Row['user']) =>
    passwordHash !== null && isExpensive({ work: comparisonWork(passwordHash, cost) })
  done.created += rows.length
  done.dearer += rows.filter(({ user }) => hasExpensiveHash(user)).length
  done.weak += rows.filter(({ user }) => user.passwordHash !== null && isWeak(user.passwordHash)).length
}

/** @param releasable what `releasableUsernames()` found @returns false if a unique key is taken; nothing was written */
async function insertAccounts(db: Database, accounts: ImportedAccount[], releasable: Set<string>): Promise<boolean> {
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
const insertion = (db: Database, user: ImportedAccount['user']) => statement(db)`
  INSERT INTO "User" ("id", "userHandle", "username", "usernameKey", "displayName", "displayNameKey", "passwordHash",
    "passwordSetAt", "createdAt", "email", "sessionEpoch")
  VALUES (${user.id}, ${user.userHandle}, ${user.username}, ${user.usernameKey}, ${user.displayName}, ${user.displayNameKey},
    ${user.passwordHash}, ${user.passwordSetAt}, ${user.createdAt}, ${user.email}, ${freshEpoch()})`

const passkeyInsertion = (db: Database, passkey: ImportedAccount['passkeys'][number]) => statement(db)`
  INSERT INTO "Passkey" ("id", "userId", "userHandle", "name", "publicKey", "counter", "transports", "deviceType",
    "backedUp", "aaguid", "userVerified", "createdAt")
  VALUES (${passkey.id}, ${passkey.userId}, ${passkey.userHandle}, ${passkey.name}, ${passkey.publicKey},
    ${passkey.counter}, ${passkey.transports}, ${passkey.deviceType}, ${passkey.backedUp}, ${passkey.aaguid},
    ${passkey.userVerified}, ${passkey.createdAt})`

/** @returns why the row was not inserted; `reason` is null if the account exists already */
async function conflictOf(db: Database, { user, passkeys }: ImportedAccount): Promise<{ reason: string | null }> {
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
