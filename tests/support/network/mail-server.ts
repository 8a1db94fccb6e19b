import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { Client } from '../client'
import { test as base, expect } from '../fixtures'
import type { Server } from '../server/server'

/** A letter as a mail program shows it. */
export interface Letter {
  from: string
  to: string
  /** In lower case */
  headers: Record<string, string>
  subject: string
  text: string
  html: string
  raw: string
  /** The number of the connection that brought it */
  session: string
}

export interface MailServer {
  readonly port: number
  readonly received: readonly Letter[]
  /** The connections so far */
  readonly sessions: ReadonlySet<string>
  /** Waits for this many letters to an address. */
  to(address: string, count?: number): Promise<Letter[]>
  /** The code of the newest letter to the address. */
  codeTo(address: string, count?: number): Promise<string>
  stop(): Promise<void>
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
const decodedWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, way: string, given: string) =>
      way.toUpperCase() === 'B' ? Buffer.from(given, 'base64').toString() : quotedPrintable(given.replaceAll('_', ' ')),
    )

const quotedPrintable = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

function headersOf(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

export function parsed(raw: string, envelope: Pick<Letter, 'from' | 'to' | 'session'>): Letter {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const headers = headersOf(head)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = raw.split(`--${boundary}`).slice(1, -1)
  const bodyOf = (type: string) => {
    const part = parts.find((one) => one.toLowerCase().includes(`content-type: ${type}`)) ?? ''
    const at = part.indexOf('\r\n\r\n')
    const { 'content-transfer-encoding': encoding = '' } = headersOf(part.slice(2, at))
    const body = part.slice(at + 4)
    if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
    return (encoding === 'quoted-printable' ? quotedPrintable(body) : body).replaceAll('\r\n', '\n')
  }
  return {
    ...envelope,
    headers,
    subject: decodedWords(headers.subject ?? ''),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    raw,
  }
}

/** A real SMTP server (npm's smtp-server) that keeps the letters it takes. */
export async function startMailServer(options: SMTPServerOptions = {}, host = '127.0.0.1'): Promise<MailServer> {
  const received: Letter[] = []
  const sessions = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: options.key || options.secure ? [] : ['STARTTLS'],
    onData(stream, session, done) {
      void buffer(stream).then((content) => {
        sessions.add(session.id)
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        received.push(parsed(content.toString(), { from, to: rcptTo[0]?.address ?? '', session: session.id }))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, host) as NetServer
  if (!listening.listening) await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const to = async (address: string, count = 1) => {
    const find = () => received.filter((letter) => letter.to === address)
    await expect.poll(() => find().length, { intervals: [20] }).toBeGreaterThanOrEqual(count)
    return find()
  }
  return {
    port,
    received,
    sessions,
    to,
    codeTo: async (address, count = 1) =>
      /^\d{6}$/m.exec((await to(address, count)).at(-1)?.text ?? '')?.[0] ?? 'no code',
    stop: () => new Promise((done) => server.close(() => done())),
  }
}

export const mailFrom = 'Example <no-reply@example.com>'

export const mailEnv = (port: number) => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: mailFrom })

interface Mailed {
  server: Server
  mail: MailServer
  /** Another client of that server, from a network of its own. */
  visitor: () => Client
}

export const randomNetwork = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

export const test = base.extend<{ mailed: Mailed }>({
  mailed: async ({ startShared, keep }, use) => {
    const mail = await keep('mail-server', async (onEnd) => {
      const mail = await startMailServer()
      onEnd(() => mail.stop())
      return mail
    })
    const server = await startShared({
      env: { RATE_LIMIT_ADDRESS_MAX: '100000', TRUSTED_PROXIES: '1', ...mailEnv(mail.port) },
    })
    await use({ server, mail, visitor: () => new Client(server, { headers: { 'X-Forwarded-For': randomNetwork() } }) })
  },
})

export { expect }
