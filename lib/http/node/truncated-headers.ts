import type { IncomingMessage } from 'node:http'

/** Node's `maxHeadersCount`, which it reaches in silence. */
const maxLines = 1_000

/**
 * Whether Node may have dropped lines of the head, such as those that a proxy writes behind the client's: its address, and the
 * host that forward-auth checks.
 */
export const hasTruncatedHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length >= 2 * maxLines
