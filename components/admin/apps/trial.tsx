import { RefreshOnReturn } from '@/components/admin/apps/app-page'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import type { Account, AllowedApp, RegisteredApp } from '@/lib/api/schemas'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

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
export function Trial({ app, account, grant, language }: Props) {
  const { locale, words } = language
  const { adminApps } = words
  const address = app.homeUrl ?? webOriginOf(app)
  const signedInAt = grant && (grant.lastUsedAt ?? grant.since)
  const refusal = app.lastRefusal
  const isRefused = refusal !== null && (signedInAt === null || Date.parse(refusal.at) > Date.parse(signedInAt))
  return (
    <RefreshOnReturn>
      <p className="max-w-prose text-muted">{fill(locale, adminApps.tryText, { app: app.name })}</p>
      {address !== null && (
        <p className="mt-3">
          <ButtonLink href={address} opensTab>
            {fill(locale, adminApps.open, { app: app.name })}
          </ButtonLink>
        </p>
      )}
      {refusal && (
        <Callout tone={isRefused ? 'danger' : 'info'} className="mt-4">
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

function webOriginOf({ redirectUris }: RegisteredApp): string | null {
  const uri = redirectUris.find((one) => /^https?:/.test(one) && URL.canParse(one))
  return uri === undefined ? null : new URL(uri).origin
}
