import * as z from 'zod'
import { fieldErrorOf } from '@/lib/api/schemas'
import { displayName } from '@/lib/api/schemas/account'
import { newUsername } from '@/lib/api/schemas/credentials'
import { latchkeyFile } from '@/lib/api/schemas/latchkey-file'
import { usernameKey } from '@/lib/auth/account'
import { fieldSentence } from '@/lib/messages/catalogues'
import { FileError, fieldsOf, readJson, schemaFaults } from '@/lib/openid/file/json'
import { contentOf, duplicates, type FileContent, groupFaults } from '@/lib/openid/file/read'

const person = z.strictObject({
  username: z.string().describe('The name to sign in with'),
  displayName: z.string().optional().describe('What the person is called'),
  email: z.string().optional().describe('The address that apps get'),
  groups: z
    .array(z.string())
    .optional()
    .describe(
      'The groups that the person is in, and no others. A group that is missing is made; no file makes admins.',
    ),
})

/** The file of an app's own folder. The server and `accounts apply` take no people: only here does anybody hold their keys. */
export const developersFile = latchkeyFile.extend({
  people: z
    .array(person)
    .optional()
    .describe(
      'People to develop and test with: "latchkey dev" makes them, each with a passkey, and nothing else takes them',
    ),
})

export type Person = z.output<typeof person>

/** What `latchkey dev` applies. */
export interface DevelopersContent extends FileContent {
  people: Person[]
}

/** @param variables reads what `{"env": "NAME"}` names @throws FileError */
export async function readDevelopersFile(
  bytes: Uint8Array,
  variables: (name: string) => string | undefined,
): Promise<DevelopersContent> {
  const value = await readJson(bytes)
  const { data, error } = developersFile.safeParse(value)
  if (error) throw new FileError(error.issues.flatMap((issue) => schemaFaults(issue, value, fieldsAt)))
  const { people = [] } = data
  const names = people.map(({ username }) => usernameKey(username))
  const faults = [...people.flatMap(faultsOfPerson), ...duplicates('people', names, 'username')]
  if (faults.length > 0) throw new FileError(faults)
  const { people: _, ...rest } = value as object & { people?: unknown }
  return { ...contentOf(rest, variables), people }
}

function fieldsAt(place: string): string[] {
  if (place === '') return Object.keys(developersFile.shape)
  return place.startsWith('people') ? Object.keys(person.shape) : fieldsOf(place)
}

function faultsOfPerson({ username, displayName: name, groups = [] }: Person, index: number): string[] {
  const place = `people[${index}]`
  const faultsIn = (field: string, { error }: z.ZodSafeParseResult<unknown>) =>
    (error?.issues ?? []).map((issue) => `${place}.${field}: ${fieldSentence('en', fieldErrorOf(issue))}`)
  return [
    ...faultsIn('username', newUsername.safeParse(username)),
    ...(name === undefined ? [] : faultsIn('displayName', displayName.safeParse(name))),
    ...groupFaults(groups, `${place}.groups`),
  ]
}
