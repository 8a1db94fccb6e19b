import { AuthorizationError } from './authorization-error'

/** What an app asks for by the parameter `claims` (OpenID Connect Core section 5.5). */
export interface RequestedClaims {
  /** What the consent page names for them, so that no claim is released without it */
  scopes: string[]
  /** The only account that may be answered with (section 5.5.1) */
  subject: string | null
  /** Values of `acr`, preferred first; if they are essential, no other may be answered with (section 5.5.1.1) */
  acr: { values: string[]; essential: boolean }
}

const scopesOfClaims = new Map([
  ...['name', 'preferred_username', 'updated_at'].map((claim) => [claim, 'profile'] as const),
  ...['email', 'email_verified'].map((claim) => [claim, 'email'] as const),
  ['groups', 'groups'] as const,
])

type Json = Record<string, unknown>

/** Claims that Latchkey has not are ignored. @throws AuthorizationError */
export function parseClaims(text: string | null): RequestedClaims {
  const all = text === null ? {} : parseObject(text)
  const [inUserinfo, inIdToken] = [membersOf(all, 'userinfo'), membersOf(all, 'id_token')]
  const names = [...Object.keys(inUserinfo), ...Object.keys(inIdToken)]
  const { value: subject } = membersOf(inIdToken, 'sub')
  const { value: acr, values, essential } = membersOf(inIdToken, 'acr')
  return {
    scopes: names.flatMap((name) => scopesOfClaims.get(name) ?? []),
    subject: typeof subject === 'string' ? subject : null,
    acr: {
      values: [acr, ...(Array.isArray(values) ? values : [])].filter((one) => typeof one === 'string'),
      essential: essential === true,
    },
  }
}

function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Below.
  }
  throw new AuthorizationError('invalid_request', 'The claims must be a JSON object.')
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty for a voluntary claim, which is null. */
function membersOf(parent: Json, name: string): Json {
  const value = Object.hasOwn(parent, name) ? parent[name] : null
  return isObject(value) ? value : {}
}
