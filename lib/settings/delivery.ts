import * as z from 'zod'
import { emailAddress, isPlainLine, isVisible } from '@/lib/api/schemas/fields'
import { addFault, entriesOf, httpUrl, parseDuration } from './fields'

const prefix = 'whsec_'
/** Standard Webhooks, "Symmetric signatures": 192 bits */
const minKeyBytes = 24
const generate = 'generate one with: echo "whsec_$(openssl rand -base64 32)"'
const minCronCharacters = 16

function webhookUrl(text: string, context: z.core.$RefinementCtx): string {
  const url = httpUrl(text)
  if (url === null) context.addIssue('must be a URL such as https://app.example.com/hooks')
  else if (url.username !== '' || url.password !== '')
    context.addIssue('must have no user or password in it; the receiver verifies the signature instead')
  return text
}

/** Reads the bytes of the secret that signs webhooks, or of two while a new one replaces the old. */
function webhookSecrets(text: string, context: z.core.$RefinementCtx): Buffer[] {
  const secrets = entriesOf(text)
  if (secrets.length > 2) context.addIssue('must be one secret, or two separated by a comma while one is replaced')
  const keys = secrets.map(keyOf)
  if (keys.includes(null))
    context.addIssue(`must be ${prefix} and at least ${minKeyBytes} bytes in base64; ${generate}`)
  return keys.filter((key) => key !== null)
}

function keyOf(secret: string): Buffer | null {
  const base64 = secret.slice(prefix.length)
  const key = Buffer.from(base64, 'base64')
  const isCanonical = key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '')
  return secret.startsWith(prefix) && isCanonical && key.length >= minKeyBytes ? key : null
}

export const deliverySchema = z
  .object({
    WEBHOOK_URL: z.string().trim().transform(webhookUrl).optional(),
    WEBHOOK_SECRET: z.string().transform(webhookSecrets).optional(),
    CRON_SECRET: z
      .string()
      .refine((text) => text.length >= minCronCharacters && !/\s/.test(text), {
        error: `must be at least ${minCronCharacters} characters without spaces; generate one with: openssl rand -base64 32`,
      })
      .optional(),
  })
  .transform(({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, CRON_SECRET }, context) => {
    if (url !== undefined && secrets === undefined)
      addFault(context, 'WEBHOOK_SECRET', `must be set with WEBHOOK_URL, or anybody could write to it; ${generate}`)
    return {
      /** Null: nobody gets webhooks. */
      webhooks: url === undefined || secrets === undefined ? null : { url, secrets },
      /** Undefined: nobody may call `/api/deliver`, or on Vercel anybody, once an hour. */
      cronSecret: CRON_SECRET,
    }
  })

/** The server that takes our letters. */
export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte (RFC 8314 section 3.3); else STARTTLS (RFC 3207) */
  isTls: boolean
  /** False to this machine alone, where nobody is on the way: STARTTLS is used if it is offered. */
  requiresTls: boolean
  credentials: { user: string; pass: string } | null
}

interface Sender {
  name: string | null
  address: string
}

const example = 'such as smtps://USER:PASSWORD@smtp.example.com'

const defaultPorts: Record<string, number> = { 'smtps:': 465, 'smtp:': 587 }

function mailServer(text: string, context: z.core.$RefinementCtx): MailServer {
  const fault = (message: string) => {
    context.addIssue(message)
    return z.NEVER
  }
  const url = URL.canParse(text) ? new URL(text) : null
  const port = defaultPorts[url?.protocol ?? '']
  if (!url || port === undefined || url.hostname === '') return fault(`must be a URL of smtps or smtp, ${example}`)
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    return fault(`must end after the host and port; write / ? # and @ in a password as %2F %3F %23 and %40, ${example}`)
  const [user, pass] = [decoded(url.username), decoded(url.password)] as const
  if (user === null || pass === null) return fault('must have its user and password percent-encoded: % is %25')
  if ((user === '') !== (pass === '')) return fault(`must have both a user and a password, or neither, ${example}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    isTls: url.protocol === 'smtps:',
    requiresTls: !/^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/.test(host),
    credentials: user === '' ? null : { user, pass },
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function sender(text: string, context: z.core.$RefinementCtx): Sender {
  const [, quoted, plain, bracketed] = /^(?:"([^"<>]*)"|([^"<>]*?))\s*<([^<>]*)>$/.exec(text) ?? []
  const name = quoted ?? plain ?? ''
  const { data: address } = emailAddress.safeParse(bracketed ?? text)
  if (address !== undefined && isPlainLine(name) && (name === '' || isVisible(name)))
    return { name: name || null, address }
  context.addIssue('must be an e-mail address, or a name and an address as in Example <no-reply@example.com>')
  return z.NEVER
}

/** Owners who look into their mail or their account once a day hear of a recovery in time to stop it. */
const shortestWait = 12 * 3_600_000
const longestWait = 30 * 24 * 3_600_000

export const mailSchema = z
  .object({
    SMTP_URL: z.string().trim().transform(mailServer).optional(),
    MAIL_FROM: z.string().trim().transform(sender).optional(),
    MAIL_RECOVERY: z
      .string()
      .transform(parseDuration)
      .refine((wait) => wait >= shortestWait && wait <= longestWait, 'must be a wait of at least 12h and at most 30d')
      .optional(),
    BACKEND_URL: z.string().optional(),
  })
  .transform(({ SMTP_URL: server, MAIL_FROM: from, MAIL_RECOVERY: wait, BACKEND_URL }, context) => {
    if (server && !from)
      addFault(context, 'MAIL_FROM', 'must be set with SMTP_URL, as in Example <no-reply@example.com>')
    // Pages offer what letters do if there is one.
    if (from && !server && BACKEND_URL === undefined)
      addFault(
        context,
        'SMTP_URL',
        `must be set with MAIL_FROM, ${example}; only the front end of a split deployment has MAIL_FROM alone`,
      )
    if (wait !== undefined && !server && BACKEND_URL === undefined)
      addFault(context, 'MAIL_RECOVERY', `needs SMTP_URL and MAIL_FROM, by which its letters go, ${example}`)
    if (wait !== undefined && !from && BACKEND_URL !== undefined)
      addFault(context, 'MAIL_RECOVERY', 'needs MAIL_FROM here, too: the same as at the backend')
    return {
      /** Null: nobody gets letters. The front end of a split deployment has none. */
      mail: server && from ? { server, from } : null,
      /** Whether pages offer what needs letters, which the backend sends. */
      offersMail: from !== undefined,
      /** Milliseconds that a recovery by mail waits for its owner to stop it. Null: there is none */
      mailRecovery: wait ?? null,
    }
  })
