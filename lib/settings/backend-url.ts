import { z } from 'zod'

/** A bare origin, because requests are forwarded with their own path. */
function isHttpOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return /^https?:$/.test(url?.protocol ?? '') && url?.origin === text.replace(/\/$/, '').toLowerCase()
}

export const backendSchema = z
  .object({
    BACKEND_URL: z
      .string()
      .refine(isHttpOrigin, "must be the backend's own address without a path, such as http://10.0.0.5:3000")
      .transform((text) => new URL(text).origin)
      .optional(),
  })
  .transform((given) => ({
    /** Set on the front end of a split deployment, which has no database: the origin that it forwards `/api` to. */
    backendUrl: given.BACKEND_URL,
  }))
