import * as z from 'zod'

/** How many attempts succeeded and failed, and how many messages wait for their next one. */
export const deliveries = z.object({ delivered: z.int(), failed: z.int(), waiting: z.int() })

/** A picture, in place of JSON. */
export const image = z.file()

/** An OpenAPI document. */
export const openApi = z.looseObject({ openapi: z.string() })

/** A page, in place of JSON. */
export const page = z.string()
