import { exclusionOf } from '../grants/exclusion'
import type { IssuedCode } from '../grants/issued-code'

/** An operator may have changed the app's rules, or the person's groups, since the sign-in. */
export const isStillAllowed = ({ rules, person, amr }: IssuedCode) => exclusionOf(rules, person, amr) === null
