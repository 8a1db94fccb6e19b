import type * as z from 'zod'

/** The origin of an event: a request, or an operator's command, which has no address and no browser. */
export interface EventContext {
  address: string | null
  userAgent: string | null
  /** The id in the response, or the one that all log lines of a command share */
  requestId: string
}

export interface Parsed<S extends z.ZodType> {
  body: z.output<S>
  context: RequestContext
}

/** What an HTTP request says about its sender. Nothing in it has been verified. */
export interface RequestContext extends EventContext {
  /** An IPv4 address, an IPv6 /64, or `unknown` */
  address: string
  session: string | null
  device: string | null
  stepUp: string | null
  /** Aborts when the client disconnects. Created on first use, so read it only where work may wait. */
  readonly signal: AbortSignal | undefined
}
