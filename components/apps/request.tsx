import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { ClockIcon } from '@/components/ui/icons/icons'
import type { PageQuery } from '@/components/ui/page/card-frame'
import { CardShell } from '@/components/ui/page/card-shell'
import { Filled } from '@/components/ui/words/filled'
import type { AppRequest } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  request: Pick<AppRequest, 'scopes' | 'apis' | 'email' | 'groups'>
  account: { username: string; displayName: string | null }
  language: PageLanguage
}

/**
 * Lists the data that the app will get, with its values, also scopes without data yet, since consent covers future data, and
 * then what it may do at APIs. What lasts longer than the session stands apart.
 */
export function RequestedData({ request, account: { username, displayName }, language }: Props) {
  const { locale, words } = language
  const { appRequest } = words
  const { scopes, apis, email, groups } = request
  // Every app learns the account's ID. It tells people something only where nothing else stands.
  const seesData = ['profile', 'email', 'groups'].some((scope) => scopes.includes(scope))
  const value = (text: string) => <span className="font-medium">{text}</span>
  return (
    <div className="mb-6">
      <p id="will-get" className="text-small text-muted">
        {appRequest.willGet}
      </p>
      <ul aria-labelledby="will-get" className="mt-1 divide-y divide-line *:py-2 *:break-words">
        {scopes.includes('profile') && (
          <>
            <li>
              <Filled message={appRequest.username} values={{ username: value(username) }} />
            </li>
            <li>
              {displayName === null ? (
                appRequest.nameLater
              ) : (
                <Filled message={appRequest.name} values={{ name: value(displayName) }} />
              )}
            </li>
          </>
        )}
        {scopes.includes('email') && (
          <li>
            {email === null ? (
              appRequest.emailLater
            ) : (
              <Filled message={appRequest.email} values={{ email: value(email) }} />
            )}
          </li>
        )}
        {scopes.includes('groups') && (
          <li>
            {groups.length === 0 ? (
              appRequest.groupsLater
            ) : (
              <Filled message={appRequest.groups} values={{ groups: value(listed(locale, groups)) }} />
            )}
          </li>
        )}
        {!seesData && <li>{appRequest.identity}</li>}
      </ul>
      {apis !== undefined && apis.length > 0 && (
        <>
          <p id="may-also" className="mt-2 text-small text-muted">
            {appRequest.mayAlso}
          </p>
          <ul aria-labelledby="may-also" className="mt-1 divide-y divide-line *:py-2 *:break-words">
            {apis.map(({ name, scopes: sentences }) => (
              <li key={name}>
                {fill(locale, appRequest.useApi, { api: name })}
                <ul className="mt-1 list-disc space-y-1 ps-5">
                  {sentences.map((sentence) => (
                    <li key={sentence} className="break-words">
                      <bdi>{sentence}</bdi>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
      {scopes.includes('offline_access') && (
        <p className="mt-2 flex flex-wrap gap-x-3 rounded-control border border-line px-[min(0.875rem,3.7vw)] py-2.5">
          <span className="text-accent">
            <ClockIcon />
          </span>
          <span className="min-w-0 grow basis-36 text-balance">{appRequest.offline}</span>
        </p>
      )}
    </div>
  )
}

/** Says what nobody here knows about a client that introduced itself. Its host is the page's title. */
export function UnknownClient({ request, language }: { request: AppRequest; language: PageLanguage }) {
  const { appRequest } = language.words
  const { app, document } = request
  if (!document) return null
  return (
    <div className="mb-5 space-y-3">
      <Callout>
        <Filled
          message={appRequest.selfNamed}
          values={{ name: <bdi className="font-medium">{document.name}</bdi>, host: <Host host={app.name} /> }}
        />
        {!document.isOnDevice && app.host !== app.name && (
          <p className="mt-1">
            <Filled message={appRequest.leadsTo} values={{ host: <Host host={app.host} /> }} />
          </p>
        )}
      </Callout>
      {document.isOnDevice && <Callout tone="danger">{appRequest.onDevice}</Callout>}
    </div>
  )
}

/** The host that the person goes to: an impostor can copy an app's name, not this. It breaks at its dots only. */
export const Host = ({ host, className = 'font-medium text-ink' }: { host: string; className?: string }) => (
  <bdi dir="ltr" translate="no" className={className}>
    {host.split('.').flatMap((label, index) =>
      index === 0
        ? [label]
        : // biome-ignore lint/suspicious/noArrayIndexKey: the labels of a host never move.
          ['.', <wbr key={index} />, label],
    )}
  </bdi>
)

interface ExpiredProps {
  language: PageLanguage
  site: Site
  query: PageQuery
  words: Pick<Words['appRequest' | 'appSignOut'], 'failed' | 'expired'>
}

/**
 * The page of an app's request that has expired or has its answer. Fills no button, because only going back to the app helps.
 */
export const ExpiredRequest = ({ language, site, query, words: { failed, expired } }: ExpiredProps) => (
  <CardShell language={language} namespaces={[]} query={query} site={site} title={failed} lead={expired}>
    <div className="grid">
      <ButtonLink href="/">{language.words.site.home}</ButtonLink>
    </div>
  </CardShell>
)
