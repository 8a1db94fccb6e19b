import type * as z from 'zod'
import { ApiError, type FieldError } from '@/lib/api/errors'
import { fieldErrorOf } from '@/lib/api/schemas'

/** @throws ApiError invalid_request, with the first error of each invalid field */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const { data, error } = schema.safeParse(input)
  if (!error) return data as z.infer<T>
  const fields: Record<string, FieldError> = {}
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= fieldErrorOf(issue)
  throw new ApiError('invalid_request', { fields })
}
