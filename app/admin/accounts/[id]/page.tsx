import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type AdminPageProps, adminPage, loadIfOpen, titleOfOne } from '@/app/admin/admin-page'
import { Entry } from '@/components/account/activity'
import { BackLink } from '@/components/account/home'
import { Closing, GroupsOfAccount, LiveSessions } from '@/components/admin/account-access'
import { Identity } from '@/components/admin/account-identity'
import { WaysIn } from '@/components/admin/account-ways-in'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { Day } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { groupRepeats } from '@/lib/activity/events'
import { liveSessions, passkeyInUse } from '@/lib/http/pages/load'

const showAccount = cache((id: string) => loadIfOpen('/accounts/show', { id }))

export async function generateMetadata({ params }: AdminPageProps): Promise<Metadata> {
  const { id = '' } = await params
  return titleOfOne(await showAccount(id), ({ username }) => username, 'accounts')
}

/** Everything of one person, and what an operator can do for them. */
export default adminPage(
  '/admin/accounts',
  ['adminAccounts', 'activity', 'handOver', 'passkeys', 'sessions'],
  async ({ language, site, account, signedIn, administration }, { params }) => {
    const { id = '' } = await params
    const [shown, groups] = await Promise.all([showAccount(id), administration.load('/groups', {})])
    if (!shown) notFound()
    const isOwn = shown.id === account.id
    const [passkey, sessions] = isOwn
      ? await Promise.all([passkeyInUse(signedIn.headers), liveSessions(signedIn)])
      : [null, []]
    const { admin, adminAccounts: words, activity } = language.words
    const { username, displayName, createdAt, disabled } = shown
    // These say "it was you", and tell an operator nothing that the sign-ins do not.
    const events = groupRepeats(shown.events.filter(({ type }) => type !== 'reauthenticated'))
    return (
      <>
        <BackLink href="/admin/accounts">{admin.accounts}</BackLink>
        <h1 className="text-display font-semibold wrap-anywhere">
          <bdi translate="no">{username}</bdi>
          {isOwn && <Badge tone="accent">{words.you}</Badge>}
          {disabled && <Badge>{words.disabled}</Badge>}
        </h1>
        <p className="mt-1 break-words text-muted">
          {displayName !== null && (
            <>
              <bdi translate="no" className="text-ink">
                {displayName}
              </bdi>
              {' · '}
            </>
          )}
          <Filled message={words.since} values={{ date: <Day at={createdAt} /> }} />
        </p>
        {isOwn && (
          <Callout className="mt-5 max-w-prose">
            <Filled
              message={words.own}
              values={{
                profile: (
                  <a href="/profile" className="font-medium underline">
                    {words.ownProfile}
                  </a>
                ),
              }}
            />
          </Callout>
        )}
        <div className="mt-7 grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr]">
          <div className="min-w-0 space-y-5">
            <WaysIn shown={shown} isOwn={isOwn} inUse={passkey} host={new URL(site.origins[0] ?? '').host} />
            <LiveSessions shown={shown} isOwn={isOwn} here={sessions.find(({ current }) => current)?.id} />
          </div>
          <div className="min-w-0 space-y-5 lg:row-span-2">
            <Identity shown={shown} />
            <GroupsOfAccount shown={shown} groups={(groups?.groups ?? []).map(({ name }) => name)} isOwn={isOwn} />
            {!isOwn && <Closing shown={shown} />}
          </div>
          <Card title={words.activity} titleId="events">
            <div className="px-card py-2">
              {events.length === 0 && <p className="py-2 text-muted">{activity.none}</p>}
              <ol className="divide-y divide-line">
                {events.map((event, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and several can have one time.
                  <li key={`${event.type} ${event.at} ${index}`} className="flex gap-3.5 py-3">
                    <Entry event={event} />
                  </li>
                ))}
              </ol>
            </div>
          </Card>
        </div>
      </>
    )
  },
)
