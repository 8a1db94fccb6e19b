import { isEmbedded } from '@/lib/settings/database-url'
import type { Settings } from '@/lib/settings/schema'
import { unknownSettings } from '@/lib/settings/unknown-names'
import { durationText } from './duration-text'
import { type Finding, ok, warn } from './finding'

export function checkSettings({
  sessionSeconds,
  bcryptCost,
  userVerification,
  appName,
  host,
  port,
}: Settings): Finding[] {
  return [
    ok(
      `valid; ${appName} listens on ${host ?? 'all interfaces'}, port ${port}; sessions last ${durationText(sessionSeconds)}; bcrypt cost ${bcryptCost}; user verification ${userVerification}`,
    ),
    ...unknownSettings().map(warn),
  ]
}

/** A secret that is too short or does not look random has failed the check of the settings. */
export function checkSecret({ secret, previousSecret, databaseUrl }: Settings): Finding[] {
  const source = process.env.JWT_SECRET ? 'from JWT_SECRET' : 'generated and kept beside the embedded database'
  return [
    ok(`${secret.length} bytes, ${source}${isEmbedded(databaseUrl) ? '' : '; must be the same on every instance'}`),
    ...(previousSecret ? [ok('JWT_SECRET_PREVIOUS verifies tokens too; remove it when the change is complete')] : []),
  ]
}

const signUpLines = {
  open: 'everybody may create an account',
  invited: 'takes an invitation; npm run accounts -- invite prints one',
  closed: 'nobody can create an account',
}

export const checkSignUp = ({ signUp, backendUrl }: Settings): Finding[] => [
  ok(signUpLines[signUp] + (backendUrl ? '; SIGN_UP must be the same on the backend' : '')),
]
