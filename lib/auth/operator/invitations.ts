import { ApiError, type FieldError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import { type ListedInvitation, millisecondsOf } from '@/lib/api/schemas'
import { withNext } from '@/lib/api/urls'
import { type Database, database, transaction } from '@/lib/database/client'
import { readRows, type SqlInteger, type SqlRow, statement } from '@/lib/database/sql'
import type { Letter } from '@/lib/delivery/letter'
import { deliverLetters, enqueueLetter } from '@/lib/delivery/letters'
import { settings } from '@/lib/settings/settings'
import { groupCreation, isActiveAdministrator } from '../account'
import { invitationId } from '../accounts/sign-up'
import { pageOf, parseCursor } from '../events/cursor'
import { letterLocale } from '../events/letters'
import { logChange } from '../events/operators-log'
import { isoOfMilliseconds } from '../time'
import { issueToken } from '../tokens/tokens'
import { requireLetter } from './letters'
import { makerOf, type Operator, requireArea } from './operator'

interface Page {
  after?: string | undefined
  limit?: number | undefined
}

interface InvitationRow extends SqlRow<'Invitation', 'id' | 'note' | 'groups' | 'expiresAt' | 'by'> {
  /** `createdAt` */
  at: SqlInteger
}

const splitNames = (names: string) => names.split(' ').filter(Boolean)

/** Lists the invitations that can still be used, newest first. @throws ApiError invalid_request if `after` is not of this list */
export async function listInvitations({ after, limit = 50 }: Page) {
  const scope = 'invitations'
  const { at, id } = parseCursor(after, { scope, field: 'after' })
  const rows = await readRows<InvitationRow>`
    SELECT "id", "note", "groups", "createdAt" AS "at", "expiresAt", "by" FROM "Invitation"
    WHERE ("createdAt", "id") < (${at}, ${id}) AND "expiresAt" > ${BigInt(Date.now())}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit + 1}`
  const { page, next } = pageOf(rows, limit, scope)
  const invitations: ListedInvitation[] = page.map((row) => ({
    id: row.id,
    note: row.note,
    groups: splitNames(row.groups),
    createdAt: isoOfMilliseconds(row.at),
    expiresAt: isoOfMilliseconds(row.expiresAt),
    by: row.by,
  }))
  return { invitations, after: next }
}

interface Wanted {
  count?: number | undefined
  expires?: string | undefined
  groups?: string[] | undefined
  /** Gets the link by letter */
  email?: string | undefined
  note?: string | undefined
}

/** Each link is good for one account, which joins the groups. @throws ApiError not_allowed, invalid_request */
export async function addInvitations(
  operator: Operator,
  { count = 1, expires = '7d', groups = [], email, note }: Wanted,
) {
  // An invitation into a group changes the group: otherwise a key without that area would let whom it likes into apps.
  if (groups.length > 0) requireArea(operator, 'groups')
  const seconds = millisecondsOf(expires) / 1000
  const names = [...new Set(groups)].sort()
  const db = await database()
  await requireGroups(db, names)
  if (email !== undefined) {
    if (count !== 1) throw invalid({ email: { key: 'email_of_one' } })
    await requireLetter(operator, email)
  }
  const made = await Promise.all(Array.from({ length: count }, () => newLink(names, seconds)))
  const shared = {
    note: note || null,
    groups: names.join(' '),
    createdAt: BigInt(Date.now()),
    by: operator.by,
    madeBy: makerOf(operator),
  }
  const [first] = made
  await transaction(db, {
    invitations: db.invitation.createMany({
      data: made.map(({ id, expiresAt }) => ({ id, expiresAt: BigInt(expiresAt), ...shared })),
    }),
    letter:
      email !== undefined && first
        ? enqueueLetter(db, letterOf(first, email), { account: null, expiresAt: first.expiresAt })
        : undefined,
  })
  if (email !== undefined && operator.kind !== 'command') deliverLetters()
  await logChange(operator, 'invitation_made', { count, ...(names.length > 0 && { group: names.join(' ') }) })
  return { invitations: made.map(publicLink) }
}

/** Has no word that a person chose: the note stays with the operators, and groups may be anybody's names. */
const letterOf = ({ url, expiresAt }: Link, to: string): Letter => ({
  kind: 'invitation',
  to,
  locale: letterLocale(null),
  at: Date.now(),
  path: url.slice(settings().origins[0].length),
  until: expiresAt,
})

const hourSeconds = 3600

/**
 * A link for somebody who becomes an administrator, while none can sign in: good for an hour and one account, whatever SIGN_UP is.
 * It voids the one before. Only for who has the database anyway: a key or a session could otherwise make itself an administrator.
 *
 * @returns null if an administrator can sign in
 */
export async function inviteAdministrator(operator: Operator) {
  if (operator.kind !== 'command') throw new ApiError('not_allowed')
  const db = await database()
  // Whoever follows it then gets to the administration, and its first steps.
  const link = await newLink([administrators], hourSeconds, '/admin')
  const now = BigInt(Date.now())
  const { made } = await transaction(db, {
    // Locks it, as everything does that changes who can sign in.
    group: groupCreation(db, administrators),
    voided: db.invitation.deleteMany({ where: { groups: administrators } }),
    made: statement(db)`INSERT INTO "Invitation" ("id", "groups", "createdAt", "expiresAt")
      SELECT ${link.id}, ${administrators}, ${now}, ${BigInt(link.expiresAt)}
      WHERE NOT EXISTS (SELECT 1 FROM "User" u WHERE ${isActiveAdministrator()})`,
  })
  if (made === 0) return null
  await logChange(operator, 'invitation_made', { count: 1, group: administrators })
  return publicLink(link)
}

interface Link {
  id: string
  url: string
  /** Milliseconds since 1970 */
  expiresAt: number
}

/** @param next where the sign-up leads */
async function newLink(groups: string[], seconds: number, next?: string): Promise<Link> {
  const { token, jti, exp } = await issueToken('invitation', groups.length > 0 ? { groups } : {}, seconds)
  // In the fragment, which browsers send to no server, so that no proxy logs it.
  const path = next === undefined ? '/signup' : withNext('/signup', next)
  const url = `${settings().origins[0]}${path}#${new URLSearchParams({ invitation: token })}`
  return { id: invitationId({ jti }), url, expiresAt: exp * 1000 }
}

const publicLink = ({ id, url, expiresAt }: Link) => ({ id, url, expiresAt: isoOfMilliseconds(expiresAt) })

async function requireGroups(db: Database, names: string[]): Promise<void> {
  // Whoever could invite to the administrators could make themselves another account there.
  if (names.includes(administrators)) throw invalid({ groups: { key: 'group_of_administrators' } })
  const found = await db.group.findMany({ where: { name: { in: names } }, select: { name: true } })
  const missing = names.find((name) => !found.some((group) => group.name === name))
  if (missing !== undefined) throw invalid({ groups: { key: 'group_unknown', group: missing } })
}

const invalid = (fields: Record<string, FieldError>) => new ApiError('invalid_request', { fields })

/** @throws ApiError not_found if it was used or withdrawn, or is no invitation's */
export async function withdrawInvitation(operator: Operator, { id }: { id: string }): Promise<null> {
  const db = await database()
  const { count } = await db.invitation.deleteMany({ where: { id, expiresAt: { gt: BigInt(Date.now()) } } })
  if (count === 0) throw new ApiError('not_found')
  await logChange(operator, 'invitation_withdrawn')
  return null
}
