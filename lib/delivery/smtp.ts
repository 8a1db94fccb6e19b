import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailFault } from '@/lib/api/schemas'
import { singleton } from '@/lib/process/singleton'
import { KeyedQueue } from '@/lib/process/work'
import type { MailServer } from '@/lib/settings/delivery'
import { settings } from '@/lib/settings/settings'
import { type Outcome, ReceiverError } from './senders'

/** The time for one letter, from the connection to the answer to its content. */
const attemptMilliseconds = 20_000
/**
 * How long a letter waits for those before it. Together with its own attempt that is less than its lease, after which another
 * process would send it, too.
 */
const turnMilliseconds = 5_000
/** How long an open connection waits for the next letter. */
const idleMilliseconds = 5_000
const maxReplyBytes = 64 * 1024

/** A whole message (RFC 5322) and its envelope. */
export interface Mail {
  from: string
  to: string
  message: Buffer
}

/** One connection, so that a batch costs one handshake and a server's limit of connections is not ours to reach. */
const line = () => singleton('mail-line', () => ({ queue: new KeyedQueue<'mail'>(), open: null as Open | null }))

interface Open {
  connection: SMTPConnection
  idle: NodeJS.Timeout | null
}

/**
 * Sends one message; a 5xx is final, and all else is tried again (RFC 5321 section 4.2.1).
 *
 * @throws ReceiverError
 */
export function deliverMail(mail: Mail, signal: AbortSignal): Promise<Outcome> {
  const { mail: configured } = settings()
  if (!configured) throw new ReceiverError('SMTP_URL is not set')
  const asked = Date.now()
  return line().queue.add('mail', async () => {
    if (Date.now() - asked > turnMilliseconds) throw new ReceiverError('the mail server is slow, and letters wait')
    const attempt = new Attempt(configured.server, signal)
    try {
      await attempt.send(mail)
      return { result: 'delivered' }
    } catch (error) {
      return outcomeOf(error as NodemailerError)
    } finally {
      attempt.end()
    }
  })
}

class Attempt {
  readonly #server: MailServer
  readonly #signal: AbortSignal
  readonly #late: NodeJS.Timeout
  #connection: SMTPConnection | null = null
  /** Rejects what waits for the server. */
  #fail: (error: Error) => void = () => undefined
  /** From here on the server may have taken the message, so only its answer or the end of the time ends the attempt. */
  #contentBegun = false
  #isAborted = false

  constructor(server: MailServer, signal: AbortSignal) {
    this.#server = server
    this.#signal = signal
    this.#late = setTimeout(() => this.#abort('no answer within 20 seconds'), attemptMilliseconds)
    signal.addEventListener('abort', this.#stop)
  }

  readonly #stop = () => {
    if (!this.#contentBegun) this.#abort('this process stops')
  }

  #abort(reason: string): void {
    this.#isAborted = true
    this.#fail(new ReceiverError(reason))
    this.#connection?.close()
  }

  async send(mail: Mail): Promise<void> {
    if (this.#signal.aborted) throw new ReceiverError('this process stops')
    const reused = takeOpen()
    try {
      await this.#transfer(reused ?? (await this.#connect()), mail)
    } catch (error) {
      // The server may have closed a connection that waited. It has taken nothing, so the letter goes over a new one.
      const isStale = reused && !this.#contentBegun && (error as NodemailerError).responseCode === undefined
      if (!isStale || this.#isAborted) throw error
      await this.#transfer(await this.#connect(), mail)
    }
  }

  #connect(): Promise<SMTPConnection> {
    const { host, port, isTls, requiresTls, credentials } = this.#server
    return this.#waiting((done) => {
      const connection = new SMTPConnection({
        host,
        port,
        secure: isTls,
        requireTLS: !isTls && requiresTls,
        // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
        tls: { rejectUnauthorized: true },
        name: new URL(settings().origins[0]).hostname,
        // One clock ends an attempt, ours: the library's own times are longer, so that they never end it under another name.
        connectionTimeout: 2 * attemptMilliseconds,
        greetingTimeout: 2 * attemptMilliseconds,
        socketTimeout: 2 * attemptMilliseconds,
        dnsTimeout: 2 * attemptMilliseconds,
        socketCloseTimeout: 1_000,
        maxResponseSize: maxReplyBytes,
      })
      this.#connection = connection
      // Without a listener, an error of an idle connection would end the process.
      connection.on('error', (error: Error) => {
        dropOpen(connection)
        this.#fail(error)
      })
      connection.once('end', () => {
        dropOpen(connection)
        this.#fail(new ReceiverError(closed))
      })
      connection.connect((error) => {
        if (error || !credentials) return done(error ?? null, connection)
        connection.login({ credentials }, (failed) => done(failed, connection))
      })
    })
  }

  #transfer(connection: SMTPConnection, { from, to, message }: Mail): Promise<void> {
    this.#connection = connection
    const content = function* (this: Attempt) {
      this.#contentBegun = true
      yield message
    }.bind(this)
    return this.#waiting((done) => {
      const failed = (error: Error) => done(error, undefined)
      const ended = () => failed(new ReceiverError(closed))
      connection.once('error', failed).once('end', ended)
      // Read once the server wants the content (its 354).
      const stream = Readable.from(content(), { objectMode: false })
      connection.send({ from, to, size: message.length }, stream, (error) => {
        connection.off('error', failed).off('end', ended)
        if (!error) keepOpen(connection)
        done(error, undefined)
      })
    })
  }

  #waiting<T>(work: (done: (error: Error | null, value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#fail = reject
      work((error, value) => (error ? reject(error) : resolve(value)))
    })
  }

  /** Closes the connection unless it waits for the next letter. */
  end(): void {
    clearTimeout(this.#late)
    this.#signal.removeEventListener('abort', this.#stop)
    if (this.#connection && line().open?.connection !== this.#connection) this.#connection.close()
  }
}

const closed = 'the mail server closed the connection'

function takeOpen(): SMTPConnection | null {
  const { open } = line()
  if (!open) return null
  if (open.idle) clearTimeout(open.idle)
  line().open = null
  if (open.connection._socket) open.connection._socket.ref()
  return open.connection
}

function keepOpen(connection: SMTPConnection): void {
  const idle = setTimeout(() => {
    dropOpen(connection)
    connection.quit()
    setTimeout(() => connection.close(), 1_000).unref()
  }, idleMilliseconds)
  // A command that has sent its letter ends at once.
  idle.unref()
  if (connection._socket) connection._socket.unref()
  line().open = { connection, idle }
}

function dropOpen(connection: SMTPConnection): void {
  const { open } = line()
  if (open?.connection !== connection) return
  if (open.idle) clearTimeout(open.idle)
  line().open = null
}

/** Keeps only the code of a server's answer: the words may come from anybody, and name the address. */
function outcomeOf(error: NodemailerError): Outcome {
  const { responseCode, code, message } = error
  if (responseCode !== undefined) {
    // A password that is wrong, or TLS that is not there yet, is no fault of the letter: it waits until somebody mends that.
    const isFinal = responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS' && code !== 'ENOAUTH'
    return { result: isFinal ? 'failed' : 'retry', error: `answered ${responseCode}` }
  }
  if (error.name === 'ReceiverError') return { result: 'retry', error: message }
  if (code === 'ECONNECTION') return { result: 'retry', error: closed }
  return { result: 'retry', error: `cannot be reached (${reasonOf(error)})` }
}

/** Tells what is wrong with the settings, by the error of an outcome; null if that does not tell. */
export function mailFaultOf(error: string): MailFault | null {
  // It knows no such command, and every other one that we send is known to all servers.
  if (!settings().mail?.server.isTls && /answered 50[02]/.test(error)) return 'starttls'
  if (/answered 53\d/.test(error)) return 'password'
  if (/answered 55\d/.test(error)) return 'address'
  return /CERT|SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(error) ? 'certificate' : null
}

/** Codes of Node, OpenSSL and the library alone, such as ECONNREFUSED and CERT_HAS_EXPIRED. */
const reasonOf = ({ originalCode, message, code }: NodemailerError) =>
  originalCode ??
  /\b(CERT_[A-Z_]+|(?:UNABLE|DEPTH|SELF|HOSTNAME|ERR)_[A-Z_]+)\b/.exec(message)?.[1] ??
  code ??
  'unknown'
