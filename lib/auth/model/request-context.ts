import type { z } from 'zod'

/** Whom the log and an account's events name: a request, or an operator's command, which has no address and no browser. */
export interface EventOrigin {
  /** As in a `RequestContext` */
  address: string | null
  userAgent: string | null
  /** For the log: the id that the response names, or that the lines of one command share */
  requestId: string
}

/** A request whose body the schema `S` has parsed. */
export interface Parsed<S extends z.ZodType> {
  body: z.output<S>
  context: RequestContext
}

/** What an HTTP request says about its sender. Nothing in it has been verified. */
export interface RequestContext extends EventOrigin {
  /** An IPv4 address, an IPv6 /64, or `unknown` */
  address: string
  session: string | null
  device: string | null
  stepUp: string | null
  /** Aborts when the client disconnects. Read it only where work may wait: it is made on first use. */
  readonly signal: AbortSignal | undefined
}
