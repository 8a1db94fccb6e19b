'use client'

import { useRef } from 'react'
import {
  type AccountAction,
  ActionButton,
  ActionMessages,
  useAccountAction,
  useRefresh,
} from '@/components/account/action'
import { AppIcon } from '@/components/apps/app-icon'
import { EmptyList } from '@/components/ui/card'
import { SignInIcon } from '@/components/ui/icons/icons'
import { Day } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { AllowedApp } from '@/lib/api/schemas'
import { removeAppAccess } from '@/lib/browser/apps'
import { listed } from '@/lib/messages/format/text'

/** Lists the apps that the account has let in, each with the data it can see and a button that removes its access. */
export function ConnectedApps({ apps }: { apps: AllowedApp[] }) {
  const { none, noneText } = useWords('apps')
  const { list, action, remove } = useRemoveAccess()
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <ActionMessages action={action} />
      <section aria-labelledby="apps">
        {apps.length > 0 ? (
          <div className="rounded-card border border-line bg-surface shadow-raised">
            <AppRows apps={apps} action={action} heading="h2" isSuspect={false} onRemove={remove} />
          </div>
        ) : (
          <EmptyList icon={<SignInIcon />} title={none} text={noneText} />
        )}
      </section>
    </div>
  )
}

/** Shows that list inside of a card. @param isSuspect true if a stranger may have let one in */
export function AppList({ apps, isSuspect }: Pick<AppRowsProps, 'apps' | 'isSuspect'>) {
  const { list, action, remove } = useRemoveAccess()
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <div className="px-card has-data-tone:pt-4">
        <ActionMessages action={action} />
      </div>
      <AppRows apps={apps} action={action} isSuspect={isSuspect} onRemove={remove} />
    </div>
  )
}

function useRemoveAccess() {
  const words = useWords('apps')
  const fill = useFill()
  const list = useRef<HTMLDivElement>(null)
  const refresh = useRefresh(list)
  const action = useAccountAction(list)
  function remove(app: AllowedApp) {
    const onDone = () => {
      refresh()
      return fill(words.removed, { app: app.name })
    }
    action.run(app.id, () => removeAppAccess(app), onDone)
  }
  return { list, action, remove }
}

interface AppRowsProps {
  apps: AllowedApp[]
  action: AccountAction
  heading?: 'h2' | 'h3'
  isSuspect: boolean
  onRemove: (app: AllowedApp) => void
}

function AppRows({ apps, action, heading: Heading = 'h3', isSuspect, onRemove }: AppRowsProps) {
  const words = useWords('apps')
  const fill = useFill()
  return (
    <ul className="divide-y divide-line px-card pt-1">
      {apps.map((app) => (
        <li key={app.id} className="flex gap-x-3 py-3.5">
          <AppIcon app={app} className="size-9" />
          <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4">
            <Heading className="min-w-0 grow basis-24 py-1.5 font-medium break-words">
              {app.homeUrl === null ? (
                <bdi>{app.name}</bdi>
              ) : (
                <a href={app.homeUrl} className="text-accent hover:underline">
                  <bdi>{app.name}</bdi>
                </a>
              )}
            </Heading>
            <ActionButton
              action={action}
              name={app.id}
              look={isSuspect ? 'secondary' : 'plain'}
              // Where a phone has no room for it beside the name, it ends what the owner reads before deciding.
              className={
                isSuspect
                  ? 'max-sm:order-last max-sm:mt-2 max-sm:w-full'
                  : 'outdent -my-1 max-[22rem]:order-last forced-colors:my-1'
              }
              aria-label={fill(words.removeFrom, { app: app.name })}
              onClick={() => onRemove(app)}
            >
              {words.remove}
            </ActionButton>
            <div className="basis-full">
              <AppFacts app={app} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

function AppFacts({ app: { scopes, apis = [], since, lastUsedAt } }: { app: AllowedApp }) {
  const words = useWords('apps')
  const fill = useFill()
  const locale = useLocale()
  const seen = (['profile', 'email', 'groups'] as const).filter((scope) => scopes.includes(scope))
  const what =
    seen.length > 0
      ? listed(
          locale,
          seen.map((scope) => words[scope]),
        )
      : words.nothing
  return (
    <>
      <p className="text-small text-muted">{fill(words.canSee, { what })}</p>
      {apis.map(({ name, scopes: sentences }) => (
        <div key={name} className="text-small break-words text-muted">
          {fill(words.mayUse, { api: name })}
          <ul className="list-disc ps-5">
            {sentences.map((sentence) => (
              <li key={sentence}>
                <bdi>{sentence}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {scopes.includes('offline_access') && <p className="text-small text-muted">{words.offline}</p>}
      <p className="text-small text-muted">
        <Filled message={words.since} values={{ date: <Day at={since} /> }} />
        {lastUsedAt !== null && (
          <>
            {' · '}
            <Filled message={words.lastUsed} values={{ date: <Day at={lastUsedAt} /> }} />
          </>
        )}
      </p>
    </>
  )
}
