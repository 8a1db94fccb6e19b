import { InvalidArgumentError } from 'commander'
import type * as z from 'zod'
import { duration } from '@/lib/settings/fields/duration'
import { wholeNumber } from '@/lib/settings/fields/whole-number'

/** Reads an option as a setting is read; a wrong one is a usage fault. */
export const reader =
  <T>(schema: z.ZodType<T, string | undefined>) =>
  (text: string): T => {
    const { data, error } = schema.safeParse(text)
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`)
    return data as T
  }

/** A number and a unit, such as `7d`, in milliseconds. */
export const readDuration = reader(duration('7d'))

/** Of an option that is repeatable. */
export const collect = (value: string, before: string[] | false | undefined) => [...(before || []), value]

export const readCount = reader(wholeNumber(1, 1, 999_999_999))
