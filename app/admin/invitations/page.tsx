import type { Metadata } from 'next'
import { type AdminPageProps, adminPage, loadAdministrators } from '@/app/admin/admin-page'
import { firstOf, loadPage } from '@/app/load-page'
import { InvitePeople, WaitingInvitations } from '@/components/admin/invitations'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { administrators } from '@/lib/api/names'

export async function generateMetadata({ searchParams }: AdminPageProps): Promise<Metadata> {
  const { admin, invitations } = (await loadPage()).language.words
  return { title: (await searchParams).invite === undefined ? admin.invitations : invitations.invite }
}

/** The invitations that wait; with `?invite` the form that makes some. */
export default adminPage('/admin/invitations', ['invitations', 'handOver'], async (page, { searchParams }) => {
  const { language, site, administration } = page
  const query = await searchParams
  const words = language.words.invitations
  const closed = site.signUp === 'closed' && <Callout className="mt-4 max-w-prose">{words.closed}</Callout>
  if (query.invite !== undefined) {
    const { groups } = (await administration.load('/groups', {})) ?? { groups: [] }
    // Nobody is invited to the administrators.
    const names = groups.map(({ name }) => name).filter((name) => name !== administrators)
    return <InvitePeople groups={names}>{closed}</InvitePeople>
  }
  const after = firstOf(query.after)
  const [list, usernames] = await Promise.all([
    administration.load('/invitations', { ...(after && { after }) }),
    loadAdministrators(administration),
  ])
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-display font-semibold">{language.words.admin.invitations}</h1>
          <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
        </div>
        <ButtonLink href="/admin/invitations?invite" look="primary">
          {words.invite}
        </ButtonLink>
      </div>
      {closed}
      <h2 className="mt-8 -mb-3 text-title font-semibold">{words.waiting}</h2>
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
