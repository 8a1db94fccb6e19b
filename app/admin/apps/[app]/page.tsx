import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type AdminPageProps, adminPage, loadIfOpen, titleOfOne } from '@/app/admin/admin-page'
import { BackLink } from '@/components/account/home'
import { ChangeApp, DeleteApp, NewSecret, RefreshOnReturn } from '@/components/admin/app-settings'
import { AppIcon } from '@/components/apps/app-icon'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import known from '@/docs/apps.json'
import { type Account, type AllowedApp, isOrdinary, type RegisteredApp } from '@/lib/api/schemas'
import { allowedApps } from '@/lib/http/pages/load'
import { addressOf, atAddress, type KnownApp } from '@/lib/known-apps'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

const showApp = cache((app: string) => loadIfOpen('/apps/show', { app: decodeURIComponent(app) }))

export async function generateMetadata({ params }: AdminPageProps): Promise<Metadata> {
  const { app: id = '' } = await params
  return titleOfOne(await showApp(id), ({ app }) => app.name, 'apps')
}

export default adminPage('/admin/apps', ['adminApps', 'handOver'], async (page, { params }) => {
  const { language, site, account, signedIn, administration } = page
  const { app: id = '' } = await params
  const [shown, all, granted] = await Promise.all([
    showApp(id),
    administration.load('/groups', {}),
    allowedApps(signedIn),
  ])
  if (!shown) notFound()
  const { app } = shown
  const words = language.words.adminApps
  const issuer = site.origins[0] ?? ''
  const groups = (all?.groups ?? []).map(({ name }) => name)
  const ownSettings = knownAs(app)
  return (
    <>
      <BackLink href="/admin/apps">{language.words.admin.apps}</BackLink>
      <div className="flex items-center gap-3.5">
        <AppIcon app={app} className="size-11" />
        <h1 className="min-w-0 text-display font-semibold break-words">
          <bdi>{app.name}</bdi>
          {app.managed && <Badge>{words.managed}</Badge>}
        </h1>
      </div>
      {app.managed && <Callout className="mt-4 max-w-prose">{words.managedText}</Callout>}
      <div className="mt-6 grid grid-cols-1 items-start gap-5 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 space-y-5">
          {!app.machine && (
            <Card title={words.tryTitle} titleId="try">
              <div className="px-card py-4">
                <Trial
                  app={app}
                  account={account}
                  grant={granted.apps.find((one) => one.id === app.id) ?? null}
                  language={language}
                />
              </div>
            </Card>
          )}
          <Card title={fill(language.locale, words.values, { app: app.name })} titleId="values">
            <div className="px-card py-4">
              <NewSecret app={app} known={ownSettings} issuer={issuer} />
            </div>
          </Card>
        </div>
        <div className="min-w-0 lg:row-span-2">
          <Card title={words.settings} titleId="settings">
            <div className="px-card py-4">
              <ChangeApp app={app} groups={groups} />
            </div>
          </Card>
        </div>
        {!app.managed && <DeleteApp app={app} />}
      </div>
    </>
  )
})

/** The known app of that name, at the address that it was registered with. */
function knownAs({ name, redirectUris }: { name: string; redirectUris: string[] }): KnownApp | null {
  const app = (known.apps as KnownApp[]).find((one) => one.name === name)
  const address = app && addressOf(app, redirectUris)
  return app && address != null ? atAddress(app, address) : null
}

interface Props {
  app: RegisteredApp
  /** The administrator, as this page's visitor and as a person who uses the app */
  account: Account
  /** What the app has of that person; null before the first sign-in */
  grant: AllowedApp | null
  language: PageLanguage
}

/**
 * Leads to the app, where a sign-in starts as it does for everybody, and says afterwards what the app was told of this person or
 * why it was refused. A sign-in that began here would need a redirect URI of ours at each app, which anybody's link could then
 * lead to; and it would prove nothing of what was entered in the app.
 */
function Trial({ app, account, grant, language }: Props) {
  const { locale, words } = language
  const { adminApps } = words
  const address = app.homeUrl ?? webOriginOf(app)
  const signedInAt = grant && (grant.lastUsedAt ?? grant.since)
  const refusal = app.lastRefusal
  // A sign-in since then shows that it is mended.
  const isFaulty =
    refusal !== null &&
    !isOrdinary(refusal.reason) &&
    (signedInAt === null || Date.parse(refusal.at) > Date.parse(signedInAt))
  return (
    <RefreshOnReturn>
      <p className="max-w-prose text-muted">{fill(locale, adminApps.tryText, { app: app.name })}</p>
      {address !== null && (
        <p className="mt-3 wrap-anywhere">
          <ButtonLink href={address} opensTab>
            {fill(locale, adminApps.open, { app: app.name })}
          </ButtonLink>
        </p>
      )}
      {refusal && (
        <Callout tone={isFaulty ? 'danger' : 'info'} className="mt-4">
          <p className="font-semibold">
            <Filled message={adminApps.refusedAt} values={{ when: <Moment at={refusal.at} /> }} />
          </p>
          <p>{fill(locale, adminApps.refusals[refusal.reason], { app: app.name })}</p>
        </Callout>
      )}
      {grant && signedInAt && (
        <div className="mt-4">
          <p className="font-medium">
            <Filled message={adminApps.toldAt} values={{ app: app.name, when: <Moment at={signedInAt} /> }} />
          </p>
          <ul className="mt-1.5 list-disc space-y-1 ps-5">
            {whatItWasTold(account, grant, language).map((line) => (
              <li key={line} className="break-words">
                {line}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!grant && <p className="mt-3 text-small text-muted">{adminApps.notTried}</p>}
    </RefreshOnReturn>
  )
}

/** The claims of what the app asked for, as this account has them now. */
function whatItWasTold(
  { id, username, displayName, email, groups }: Account,
  { scopes }: AllowedApp,
  language: PageLanguage,
) {
  const { locale, words } = language
  const { appRequest, adminApps } = words
  return [
    scopes.includes('profile') && fill(locale, adminApps.toldUsername, { username }),
    // As the claim `name`: who gave none has the username there.
    scopes.includes('profile') && fill(locale, appRequest.name, { name: displayName ?? username }),
    scopes.includes('email') && (email === null ? adminApps.toldNoEmail : fill(locale, appRequest.email, { email })),
    scopes.includes('groups') &&
      (groups.length === 0
        ? adminApps.toldNoGroups
        : fill(locale, appRequest.groups, { groups: listed(locale, groups) })),
    fill(locale, adminApps.toldId, { id }),
    scopes.includes('offline_access') && appRequest.offline,
  ].filter((line) => line !== false)
}

/** Also at http, where an app in development runs, and which its people get no tile for. */
function webOriginOf({ redirectUris }: RegisteredApp): string | null {
  const uri = redirectUris.find((one) => /^https?:/.test(one) && URL.canParse(one))
  return uri === undefined ? null : new URL(uri).origin
}
