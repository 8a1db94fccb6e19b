import { createHash, randomBytes } from 'node:crypto'
import type { MailFault } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { statement } from '@/lib/database/sql'
import { wordsIn } from '@/lib/messages/catalogues'
import type { Locale } from '@/lib/messages/locales'
import { seal, unseal } from '@/lib/settings/keys'
import { settings } from '@/lib/settings/settings'
import { deliverSoon, startDelivering } from './delivering'
import { composeLetter, type Letter, type LetterKind } from './letter'
import { type Delivery, isReceiverError, type Outcome, registerSender, type Sender } from './senders'

const purpose = 'latchkey/letter'

/** What `deliveries` shows in place of an address. */
const receiver = 'mail'

const dayMilliseconds = 86_400_000

/** How long a letter about an account's ways in is worth something. */
const keptMilliseconds = 30 * dayMilliseconds

const typeOf = (kind: LetterKind) => `letter.${kind}`

/** The account and the type seal it, so that nobody who writes to the database can send one to another person. */
const ownerOf = ({ type, account }: Pick<Delivery, 'type' | 'account'>) => `${type} ${account ?? ''}`

interface Queued {
  /** The account that it is about, if it has one */
  account: string | null
  /** When its content is worth nothing any more, in milliseconds since 1970 */
  expiresAt?: number
}

/** Makes the statement that puts a letter into the outbox. Call `deliverSoon()` after the commit. */
export function enqueueLetter(db: Database, letter: Letter, { account, expiresAt }: Queued) {
  const now = Date.now()
  return insertion(db, letter, {
    id: randomBytes(16).toString('hex'),
    account,
    dueAt: now,
    expiresAt: expiresAt ?? now + keptMilliseconds,
  })
}

const hourMilliseconds = 3_600_000

/** How much the clocks of several instances may differ. */
const marginMilliseconds = 60_000

/** Makes the statement that adds a letter to the one that its account gets about all of a kind at the end of the hour. */
export function collectLetter(db: Database, letter: Letter, account: string) {
  const hour = Math.floor(Date.now() / hourMilliseconds)
  const id = createHash('sha256')
    .update(JSON.stringify([account, letter.kind, letter.to, hour]))
    .digest('hex')
  const dueAt = (hour + 1) * hourMilliseconds + marginMilliseconds
  return insertion(db, letter, { id, account, dueAt, expiresAt: dueAt + keptMilliseconds })
}

interface Row {
  id: string
  account: string | null
  dueAt: number
  expiresAt: number
}

function insertion(db: Database, letter: Letter, { id, account, dueAt, expiresAt }: Row) {
  const type = typeOf(letter.kind)
  const payload = seal(purpose, Buffer.from(JSON.stringify(letter)), ownerOf({ type, account }))
  return statement(db)`
    INSERT INTO "Delivery" ("id", "type", "receiver", "account", "payload", "createdAt", "dueAt", "expiresAt", "count")
    VALUES (${id}, ${type}, ${receiver}, ${account}, ${payload}, ${BigInt(Date.now())}, ${BigInt(dueAt)},
      ${BigInt(expiresAt)}, 1)
    ON CONFLICT ("id") DO UPDATE SET "count" = "Delivery"."count" + 1, "payload" = excluded."payload"`
}

/** Sends what is in the outbox, after the response. */
export const deliverLetters = (): void => {
  if (settings().mail) deliverSoon()
}

/** Loads nodemailer with the first letter: most servers send none. */
const smtp = () => import('./smtp')

const letterSender: Sender = {
  async send(delivery, signal): Promise<Outcome> {
    const opened = unseal(purpose, delivery.payload, ownerOf(delivery))
    if (!opened) return { result: 'failed', error: 'cannot be opened with this JWT_SECRET' }
    const letter: Letter = JSON.parse(opened.content.toString())
    const { from, to } = addressesOf(letter)
    const { deliverMail } = await smtp()
    return deliverMail({ from, to, message: await messageOf(letter, delivery) }, signal)
  },
}

function configured() {
  const { mail } = settings()
  if (!mail) throw new Error('SMTP_URL is not set.')
  return mail
}

const addressesOf = ({ to }: Letter) => ({ from: configured().from.address, to })

/** Makes the message as it goes out. The same Message-ID at each attempt lets a receiver recognize a repetition. */
async function messageOf(letter: Letter, { id, createdAt, count }: Pick<Delivery, 'id' | 'createdAt' | 'count'>) {
  const { from } = configured()
  const { subject, text, html } = composeLetter(letter, count)
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const mail = new MailComposer({
    from: { name: from.name ?? '', address: from.address },
    to: { name: '', address: letter.to },
    subject,
    text,
    html,
    date: new Date(createdAt),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // Keeps programs from answering (RFC 3834 section 5).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

/**
 * Sends a letter to try the settings, once and past the outbox, because somebody waits for the answer.
 *
 * @returns null once the server has taken it
 */
export async function tryMail(to: string, locale: Locale): Promise<{ error: string; fault: MailFault | null } | null> {
  const at = Date.now()
  const letter: Letter = { kind: 'test', to, locale, at }
  const delivery = { id: randomBytes(16).toString('hex'), createdAt: at, count: 1 }
  const message = await messageOf(letter, delivery)
  const { deliverMail, mailFaultOf } = await smtp()
  const attempt = deliverMail({ ...addressesOf(letter), message }, new AbortController().signal)
  const outcome = await attempt.catch((failure: unknown): Outcome => {
    if (isReceiverError(failure)) return { result: 'retry', error: failure.message }
    throw failure
  })
  return outcome.result === 'delivered' ? null : { error: outcome.error, fault: mailFaultOf(outcome.error) }
}

/** Begins to send at startup. Does nothing without SMTP_URL. */
export function startLetters(): void {
  if (!settings().mail) return
  const kinds = Object.keys(wordsIn('en').letters.titles) as LetterKind[]
  registerSender(kinds.map(typeOf), letterSender)
  startDelivering()
}
