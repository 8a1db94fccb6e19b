/** What an HTTP request says about its sender. Nothing in it has been verified. */
export interface RequestContext {
  /** An IPv4 address, an IPv6 /64, or `unknown` */
  address: string
  session: string | null
  device: string | null
  stepUp: string | null
  userAgent: string | null
  /** The id that the response names, for the log */
  requestId: string
  /** Aborts when the client disconnects. Read it only where work may wait: it is made on first use. */
  readonly signal: AbortSignal | undefined
}
