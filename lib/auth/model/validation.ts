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

/** A parameter without a value counts as omitted (RFC 6749 sections 3.1 and 3.2). */
export const withoutEmpty = (parameters: URLSearchParams) =>
  new URLSearchParams([...parameters].filter(([, value]) => value !== ''))

/** In one pass: a stranger's form can have thousands of names. */
export function repeatedName(parameters: Iterable<[string, string]>): string | undefined {
  const names = new Set<string>()
  for (const [name] of parameters) {
    if (names.has(name)) return name
    names.add(name)
  }
  return undefined
}
