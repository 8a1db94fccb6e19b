import type { ReactNode } from 'react'
import { Username } from '@/components/account/account-chip'
import { AppIcon } from '@/components/apps/app-icon'
import { Icon } from '@/components/ui/icons/form-icons'
import { ForwardIcon } from '@/components/ui/icons/icons'
import { Key } from '@/components/ui/icons/mark'
import type { Account, AppTile } from '@/lib/api/schemas'
import { cutsOf } from '@/lib/mark'
import type { PageLanguage } from '@/lib/messages/page-words'

/** Names the owner of the page as apps know them. */
export function Heading({
  person: { id, username, displayName, email, groups },
  language: { words },
}: {
  person: Pick<Account, 'id' | 'username' | 'displayName' | 'email' | 'groups'>
  language: PageLanguage
}) {
  const name = <Username name={username} />
  const facts = [displayName !== null && name, email !== null && <Username name={email} />].filter(Boolean)
  return (
    // A band across the whole page, which its own shadow fills: it grows with what stands in it, and nothing scrolls sideways.
    <div className="on-band full-band -mt-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 pt-6 pb-12 sm:-mt-12 sm:pt-9 sm:pb-14">
      <div className="min-w-0 grow basis-52">
        <h1 className="text-display font-semibold text-wrap break-words">
          {displayName === null ? name : <bdi translate="no">{displayName}</bdi>}
        </h1>
        {facts.length > 0 && (
          <p className="mt-0.5 flex flex-wrap gap-x-4 break-words">
            {facts.map((fact, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never move.
              <span key={index} className="max-w-full">
                {fact}
              </span>
            ))}
          </p>
        )}
        {groups.length > 0 && (
          <ul aria-label={words.profile.groups} className="mt-2 flex flex-wrap gap-1.5">
            {groups.map((group) => (
              <li
                key={group}
                translate="no"
                className="max-w-full rounded-full border border-current/50 px-2.5 text-[0.8125rem] leading-6 font-medium break-words"
              >
                <bdi>{group}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
      {/* On the narrowest phones, and with text twice as large, the key would take a line of its own. */}
      <Key cuts={cutsOf(id)} className="h-9 max-sm:h-7 max-[24rem]:hidden" />
    </div>
  )
}

/** The apps that the person opens from here. */
export function YourApps({
  tiles,
  hasAccess,
  words,
}: {
  tiles: AppTile[]
  hasAccess: boolean
  words: PageLanguage['words']
}) {
  if (tiles.length === 0 && !hasAccess) return null
  return (
    <section aria-labelledby="your-apps" className="rounded-card border border-line bg-surface shadow-raised">
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-card pt-1.5">
        <h2 id="your-apps" className="py-2.5 text-title font-semibold">
          {words.profile.yourApps}
        </h2>
        {hasAccess && (
          <span className="outdent inline-flex">
            <a href="/profile/apps" className="button button-quiet">
              {words.profile.manageAccess}
            </a>
          </span>
        )}
      </div>
      {tiles.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(5rem,100%),1fr))] px-[max(min(var(--card-inset),0.5rem),var(--card-inset)_-_0.75rem)] pb-2">
          {tiles.map((tile) => (
            <li key={`${tile.url} ${tile.name}`}>
              <a
                href={tile.url}
                className="flex h-full flex-col items-center gap-1.5 rounded-control py-2 text-center text-[0.8125rem] leading-4.5 font-medium hyphens-auto hover:bg-sunken"
              >
                <AppIcon app={tile} className="size-13" />
                <bdi translate="no" className="w-full wrap-anywhere hyphens-auto">
                  {tile.name}
                </bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A line of a card that leads to another page, and can be pressed anywhere. */
export function LinkRow({ id, href, name, children }: { id: string; href: string; name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as in Setting.
    <div role="group" aria-labelledby={id} className="relative flex items-center gap-x-4 py-2.5">
      <div className="min-w-0 grow break-words">
        <h3 id={id} className="text-small text-muted">
          <a
            href={href}
            className="after:absolute after:-inset-x-2 after:inset-y-1 after:rounded-control hover:text-ink"
          >
            {name}
          </a>
        </h3>
        <p className="line-clamp-2 font-medium first-letter:uppercase">{children}</p>
      </div>
      <span className="text-muted">
        <ForwardIcon />
      </span>
    </div>
  )
}

/** Leads from a page to the one above it. */
export const BackLink = ({ href, children }: { href: string; children: string }) => (
  <p className="-mt-3 mb-1">
    <a href={href} className="button button-plain -ms-2 gap-x-1 px-2">
      <Icon mirrored>
        <path d="M12.25 4.75 7 10l5.25 5.25" />
      </Icon>
      {children}
    </a>
  </p>
)

/** The top of a page below the profile. */
export function SectionHeading({
  id,
  title,
  lead,
  language: { words },
}: {
  /** Where the page's one list has this title */
  id?: string
  title: string
  lead?: string
  language: PageLanguage
}) {
  return (
    <div className="mb-6">
      <BackLink href="/profile">{words.account.profile}</BackLink>
      <h1 id={id} className="text-display font-semibold">
        {title}
      </h1>
      {lead !== undefined && <p className="mt-2 max-w-prose text-lead text-muted">{lead}</p>}
    </div>
  )
}
