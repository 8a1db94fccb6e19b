import type * as z from 'zod'
import { usernameKey } from '../../model/accounts'
import { defaultPasskeyName, plausibleTransports } from '../../model/passkey'
import { isUserHandle, newUserId } from '../../model/user-handle'
import { rowFormat } from './format'

export type ImportedAccount = ReturnType<typeof toAccount>

type Given = z.output<typeof rowFormat>
type GivenPasskey = NonNullable<Given['passkeys']>[number]

/** `reason` contains none of the row's values. */
export function readRow(line: string): { account: ImportedAccount } | { reason: string } {
  const json = parseJson(line)
  if (json === undefined) return { reason: 'the row: is not JSON' }
  const { data, error } = rowFormat.safeParse(json)
  if (data) return { account: toAccount(data) }
  const [issue] = error.issues
  const place = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('') ?? ''
  return { reason: `${place.slice(1) || 'the row'}: ${issue?.message}` }
}

/** Drops V8's message, which quotes the line. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Shorter IDs could be guessed or collide; authenticators return bytes, so text must be canonical base64url. */
const handleBytes = 16

const noAaguid = '00000000-0000-0000-0000-000000000000'

function toAccount(given: Given) {
  const { username, id: givenId, passwordHash, passwordSetAt, createdAt, email, passkeys } = given
  const id = givenId ?? newUserId()
  const user = {
    id,
    userHandle: isUserHandle(id, handleBytes) ? null : newUserId(),
    username,
    usernameKey: usernameKey(username),
    passwordHash: passwordHash ?? null,
    passwordSetAt: passwordHash ? (passwordSetAt ?? null) : null,
    createdAt: createdAt ?? new Date(),
    email,
  }
  const accountHandle = user.userHandle ?? id
  return { user, passkeys: (passkeys ?? []).map((passkey) => toPasskey(passkey, id, accountHandle)) }
}

function toPasskey(given: GivenPasskey, userId: string, accountHandle: string) {
  const aaguid = given.aaguid?.toLowerCase() ?? noAaguid
  const backedUp = given.backedUp ?? false
  return {
    id: given.id,
    userId,
    userHandle: given.userHandle === undefined ? accountHandle : given.userHandle,
    name: given.name ?? defaultPasskeyName(aaguid),
    publicKey: given.publicKey,
    counter: BigInt(given.counter ?? 0),
    transports: plausibleTransports(given.transports ?? []),
    deviceType: given.deviceType ?? (backedUp ? 'multiDevice' : 'singleDevice'),
    backedUp,
    aaguid,
    userVerified: given.userVerified ?? false,
    createdAt: given.createdAt ?? new Date(),
  }
}
