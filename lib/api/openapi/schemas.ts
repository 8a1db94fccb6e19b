import * as z from 'zod'
import { rows } from '../endpoints'
import * as schemas from '../schemas'

// Scripts take `rows` from here, because `nameOf` knows a schema by identity and each bundle has its own copy.
export { rows }

export const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The URI of a component. */
export const refTo = (name: string) => `#/components/schemas/${name}`

const isBody = (schema: z.ZodType) => rows.some(({ body }) => body === schema)

/** The objects and lists that lib/api/schemas.ts exports, each under its own name: bodies of requests and of responses. */
const [input, output] = [z.registry<{ id: string }>(), z.registry<{ id: string }>()]
for (const [name, schema] of Object.entries(schemas))
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray)
    (isBody(schema) ? input : output).add(schema, { id: title(name) })

/** The component of a schema, by name. */
export const nameOf = (schema: z.ZodType) => (input.get(schema) ?? output.get(schema))?.id

/** Whether this is a picture or a page, neither of which is JSON. */
export const isImage = (schema: z.ZodType) => schema === schemas.image
export const isPage = (schema: z.ZodType) => schema === schemas.page

/** The components of bodies of requests, or of responses, by name. */
export function components(io: 'input' | 'output'): Record<string, object> {
  const { schemas: named } = z.toJSONSchema(io === 'input' ? input : output, {
    io,
    uri: refTo,
    override: ({ jsonSchema }) => {
      // Results may gain fields, and the format says what zod's pattern for times does.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return Object.fromEntries(Object.entries(named).map(([name, { $schema, $id, ...schema }]) => [name, schema]))
}
