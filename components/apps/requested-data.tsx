import { Fragment } from 'react'
import type { AppRequest } from '@/lib/api/schemas'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  request: Pick<AppRequest, 'scopes' | 'apis' | 'email' | 'groups'> & { app: { name: string } }
  displayName: string | null
  language: PageLanguage
}

/** Lists the data that the app will get, also scopes without data yet, since consent covers future data, and what it may do at APIs. */
export function RequestedData({ request, displayName, language }: Props) {
  const { locale, words } = language
  const { appRequest } = words
  const { app, scopes, apis, email, groups } = request
  const lines = [
    scopes.includes('profile') && appRequest.username,
    scopes.includes('profile') &&
      (displayName === null ? appRequest.nameLater : fill(locale, appRequest.name, { name: displayName })),
    scopes.includes('email') && (email === null ? appRequest.emailLater : fill(locale, appRequest.email, { email })),
    scopes.includes('groups') &&
      (groups.length === 0
        ? appRequest.groupsLater
        : fill(locale, appRequest.groups, { groups: listed(locale, groups) })),
    ...(apis ?? []).map(({ name, scopes: sentences }) => (
      <Fragment key={name}>
        {fill(locale, appRequest.useApi, { api: name })}
        <ul className="mt-1 list-[circle] space-y-1 ps-5">
          {sentences.map((sentence) => (
            <li key={sentence} className="break-words">
              <bdi>{sentence}</bdi>
            </li>
          ))}
        </ul>
      </Fragment>
    )),
    // Last, because it tells people least.
    appRequest.identity,
    scopes.includes('offline_access') && appRequest.offline,
  ].filter((line) => line !== false)
  return (
    <div className="mb-6">
      <p className="font-medium">{fill(locale, appRequest.willGet, { app: app.name })}</p>
      <ul className="mt-1.5 list-disc space-y-1 ps-5">
        {lines.map((line) => (
          <li key={typeof line === 'string' ? line : line.key} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </div>
  )
}
