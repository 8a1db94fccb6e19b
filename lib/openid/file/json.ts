import type { AnyNode, DocumentNode } from '@humanwhocodes/momoa'
import type * as z from 'zod'
import { limits } from '@/lib/api/limits'
import { latchkeyFile } from '@/lib/api/schemas/latchkey-file'

/* Says of a file what is wrong with its JSON, in words and with the place. */

/** What is wrong with a file: a line for each fault, which says where it is and what would be right. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Strict JSON: a parser that lets the last of two keys win would apply what nobody sees. */
export async function readJson(bytes: Uint8Array): Promise<unknown> {
  const text = decode(bytes)
  const { body } = await parsed(text)
  const repeated = repeatedKeys(body, '')
  if (repeated.length > 0) throw new FileError(repeated)
  try {
    return JSON.parse(text)
  } catch {
    // The parser that knows lines takes them.
    throw new FileError(['A text has a line break or another control character in it. Write \\n for a line break.'])
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // Skips a byte order mark, with which some editors begin a file.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError(['It is not UTF-8. Save it as UTF-8.'])
  }
}

async function parsed(text: string): Promise<DocumentNode> {
  // On demand: most servers read no such file.
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    return parse(text, { mode: 'json' })
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(['It is nested too deeply.'])
    const { line, column, message } = error as { line: number; column: number; message: string }
    if (text.trim() === '') throw new FileError(['It is empty. Write {} for a file that says nothing.'])
    if (message.startsWith('Unexpected end')) throw new FileError(['It ends too early: a bracket is not closed.'])
    const [token = ''] = /^(\/[/*]|[\w+-]{1,30}|.)/u.exec(text.split('\n')[line - 1]?.slice(column - 1) ?? '') ?? []
    if (/^(\/.|#)/.test(token)) throw new FileError([`Line ${line}, column ${column}: JSON has no comments.`])
    throw new FileError([`Line ${line}, column ${column}: ${JSON.stringify(token)} cannot stand here in JSON.`])
  }
}

function repeatedKeys(node: AnyNode, path: string): string[] {
  if (node.type === 'Array')
    return node.elements.flatMap(({ value }, index) => repeatedKeys(value, `${path}[${index}]`))
  if (node.type !== 'Object') return []
  const seen = new Set<string>()
  return node.members.flatMap(({ name, value, loc }) => {
    const key = name.type === 'String' ? name.value : name.name
    const inner = path === '' ? key : `${path}.${key}`
    const again = seen.has(key)
    seen.add(key)
    return [
      ...(again ? [`Line ${loc.start.line}: ${inner} is there twice. Keep one.`] : []),
      ...repeatedKeys(value, inner),
    ]
  })
}

const placeOf = (path: readonly PropertyKey[]) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')

/** JSON types in words: zod's own speak of JavaScript. */
const kinds: Record<string, string> = {
  string: 'a text, "..."',
  array: 'a list, [...]',
  boolean: 'true or false',
  object: 'an object, {...}',
}

export function schemaFaults(issue: z.core.$ZodIssue, value: unknown, fieldsAt = fieldsOf): string[] {
  const place = placeOf(issue.path)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, place, fieldsAt(place)))
  const subject = place || 'The file'
  if (issue.code === 'invalid_type') {
    const given = issue.path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown>)?.[step], value)
    return [`${subject} ${given === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`}.`]
  }
  if (issue.code === 'invalid_value')
    return [`${subject} must be one of ${issue.values.map((one) => JSON.stringify(one)).join(', ')}.`]
  return [`${subject} ${issue.message}.`]
}

export const fieldsOf = (place: string): string[] =>
  place === ''
    ? Object.keys(latchkeyFile.shape)
    : /^apps\[\d+\]$/.test(place)
      ? appFields
      : /^apis\[\d+\]$/.test(place)
        ? apiFields
        : ['env', 'sha256']

const appFields = Object.keys(latchkeyFile.shape.apps.unwrap().element.shape)
const apiFields = Object.keys(latchkeyFile.shape.apis.unwrap().element.shape)

function unknownField(key: string, place: string, fields: string[]): string {
  const path = place === '' ? key : `${place}.${key}`
  if (path === 'people')
    return 'people is for a developer\'s own file. This one says which apps and groups there are; "invite" and "import" bring people.'
  const near = fields.reduce((best, field) => (distance(key, field) < distance(key, best) ? field : best))
  return `${path} is no field. The nearest is ${near}.`
}

/** How many letters have to be inserted, deleted or replaced (Levenshtein), without regard to case. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, limits.appName).toLowerCase(), other.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}
