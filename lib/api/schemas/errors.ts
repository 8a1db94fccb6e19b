import * as z from 'zod'

/** The body of errors that programs of apps get (RFC 6749 section 5.2). */
export const oauthErrorResponse = z.object({ error: z.string(), error_description: z.string() })

/** The body of every other error. */
export const errorResponse = z.object({
  /** A sentence for people. */
  error: z.string(),
  code: z.string(),
  /** With `invalid_request`: a sentence by field. */
  fields: z.record(z.string(), z.string()).exactOptional(),
  /** Seconds. */
  retryAfter: z.int().exactOptional(),
})
