/** Who is asking, as far as HTTP can tell. Nothing in it has been checked. */
export interface RequestContext {
  /** The network it comes from, for counting: an IPv4 address, an IPv6 /64, or `unknown`. */
  address: string
  /** A session token, if one was sent. */
  session: string | null
  /** A device token, if one was sent. */
  device: string | null
  /** The User-Agent header, if one was sent. */
  userAgent: string | null
}
