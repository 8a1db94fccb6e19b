import { adminPage, loadAdministrators } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { InvitePeople, WaitingInvitations } from '@/components/admin/invitations'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { administrators } from '@/lib/api/names'

export const generateMetadata = titleOf((words) => words.admin.invitations)

export default adminPage('/admin/invitations', ['invitations', 'handOver'], async (page, { searchParams }) => {
  const { language, site, administration } = page
  const query = await searchParams
  const after = firstOf(query.after)
  const [list, groups, usernames] = await Promise.all([
    administration.load('/invitations', { ...(after && { after }) }),
    administration.load('/groups', {}),
    loadAdministrators(administration),
  ])
  const words = language.words.invitations
  // Nobody is invited to the administrators.
  const names = (groups?.groups ?? []).map(({ name }) => name).filter((name) => name !== administrators)
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.invitations}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
      {site.signUp === 'closed' && <Callout className="mt-4 max-w-prose">{words.closed}</Callout>}
      <InvitePeople groups={names} isOpen={query.invite !== undefined} />
      <h2 className="mt-10 -mb-3 text-title font-semibold">{words.waiting}</h2>
      <WaitingInvitations invitations={list?.invitations ?? []} usernames={usernames} />
      {list?.after != null && (
        <p className="mt-6">
          <ButtonLink href={`/admin/invitations?${new URLSearchParams({ after: list.after })}`}>
            {words.older}
          </ButtonLink>
        </p>
      )}
    </>
  )
})
