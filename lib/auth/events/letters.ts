import { administrators } from '@/lib/api/names'
import type { EventMethod, EventType } from '@/lib/api/schemas'
import { type Database, database, transaction } from '@/lib/database/client'
import { type Fragment, readRows, type SqlRow, sql } from '@/lib/database/sql'
import type { Letter, LetterKind } from '@/lib/delivery/letter'
import { collectLetter, deliverLetters, enqueueLetter } from '@/lib/delivery/letters'
import { isLocale, type Locale } from '@/lib/messages/locales'
import { bestEffort } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { browserName, type EventContext } from '../request'
import { tryConsume } from '../throttling/attempts'

/** What the owner gets a letter about, whoever did it. */
const always = [
  ...(['passkey_added', 'passkey_removed', 'password_changed', 'password_removed'] as const),
  ...(['username_changed', 'email_changed', 'recovery_codes_made', 'recovered'] as const),
] as const satisfies LetterKind[]

/** And what they get one about only if an operator did it. */
const byOperators = [
  ...(['name_changed', 'groups_changed', 'signed_out_everywhere', 'session_revoked'] as const),
  ...(['account_disabled', 'account_enabled'] as const),
] as const satisfies LetterKind[]

interface Occurrence {
  type: EventType
  origin: EventContext
  method: EventMethod | null
  newBrowser?: boolean
}

function kindOf({ type, method, newBrowser }: Occurrence): LetterKind | null {
  if (type === 'signed_in' || type === 'reauthenticated')
    return method === 'recovery' ? 'recovery_used' : newBrowser ? 'new_browser' : null
  const kinds: readonly LetterKind[] = method === 'operator' ? [...always, ...byOperators] : always
  return kinds.find((kind) => kind === type) ?? null
}

/** Where letters about an account go, as it was before a change that may take it away. */
export interface Recipient extends SqlRow<'User', 'id' | 'username' | 'language'> {
  email: string
}

const recipientsWhere = (where: Fragment) => readRows<Recipient>`
  SELECT u."id", u."username", u."email", u."language" FROM "User" u WHERE u."email" IS NOT NULL AND ${where}`

/** Null if the account has no address, or nobody gets letters. */
export async function recipientOf(id: string): Promise<Recipient | null> {
  if (!settings().mail) return null
  const [recipient] = await recipientsWhere(sql`u."id" = ${id}`)
  return recipient ?? null
}

/** Tells the owner by letter what has happened to the account, if that deserves one. Never throws: it has happened. */
export async function writeToOwner(userId: string, occurrence: Occurrence): Promise<void> {
  const kind = settings().mail ? kindOf(occurrence) : null
  if (kind === null) return
  await bestEffort(async () => {
    const recipient = await recipientOf(userId)
    if (recipient) await writeTo(recipient, kind, occurrence)
  }, 'could not write a letter to an owner')
}

/** Writes to the address that an account had until now. The letter does not name the new one. */
export async function writeToFormer(
  recipient: Recipient | null,
  kind: 'email_removed' | 'account_deleted',
  occurrence: Pick<Occurrence, 'origin' | 'method'>,
): Promise<void> {
  if (recipient) await bestEffort(() => writeTo(recipient, kind, occurrence), 'could not write a letter to an owner')
}

/** Tells all administrators, so that nobody becomes one, or makes a key, behind their backs. */
export async function writeToAdministrators(
  kind: 'administrator_added' | 'key_added',
  origin: EventContext,
  { account, key }: { account?: string; key?: string },
): Promise<void> {
  if (!settings().mail) return
  await bestEffort(async () => {
    const [added] = await readRows<Pick<Recipient, 'username'>>`
      SELECT u."username" FROM "User" u WHERE u."id" = ${account ?? ''}`
    const about = { ...(added && { account: added.username }), ...(key !== undefined && { key }) }
    const recipients = await recipientsWhere(
      sql`NOT u."disabled" AND EXISTS (
        SELECT 1 FROM "Membership" m WHERE m."userId" = u."id" AND m."groupName" = ${administrators})`,
    )
    for (const { username: _, ...recipient } of recipients)
      await writeTo(recipient, kind, { origin, method: null }, about)
  }, 'could not write a letter to an administrator')
}

/** @param about what only some letters say */
export function letterAbout(
  { email, language, username }: Omit<Recipient, 'id' | 'username'> & { username?: string },
  kind: LetterKind,
  { origin, method }: Pick<Occurrence, 'origin' | 'method'>,
  about: Pick<Letter, 'account' | 'key' | 'path' | 'until'> = {},
): Letter {
  return {
    kind,
    to: email,
    locale: letterLocale(language),
    at: Date.now(),
    ...(username !== undefined && { account: username }),
    ...(method === 'operator'
      ? { byOperator: true }
      : origin.address !== null && { browser: browserName(origin.userAgent) }),
    ...about,
  }
}

/**
 * A stranger cannot use up what an owner is told, because none of these is dropped: three of a kind in an hour come singly, the
 * others in one letter at its end.
 *
 * @returns makes the statement that puts it into the outbox
 */
export async function ownersLetter(id: string, letter: Letter) {
  const isSingle = await tryConsume('letters-own', `${id}/${letter.kind}`)
  return (db: Database) => (isSingle ? enqueueLetter(db, letter, { account: id }) : collectLetter(db, letter, id))
}

async function writeTo(
  { id, ...recipient }: Omit<Recipient, 'username'> & { username?: string },
  kind: LetterKind,
  occurrence: Pick<Occurrence, 'origin' | 'method'>,
  about: Pick<Letter, 'account' | 'key'> = {},
): Promise<void> {
  const letter = await ownersLetter(id, letterAbout(recipient, kind, occurrence, about))
  const db = await database()
  await transaction(db, { letter: letter(db) })
  deliverLetters()
}

/** LOCALE, else the language of the account's last session, else English. */
export function letterLocale(language: string | null): Locale {
  const { locale } = settings()
  return locale ?? (language !== null && isLocale(language) ? language : 'en')
}
