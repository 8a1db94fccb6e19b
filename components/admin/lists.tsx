import type { ReactNode, RefObject } from 'react'
import { Place } from '@/components/admin/actions'
import { ButtonLink } from '@/components/ui/button'
import { EmptyList } from '@/components/ui/card'
import { Field, type FieldProps } from '@/components/ui/forms/form'
import { ChevronIcon } from '@/components/ui/icons/icons'
import type { ListedAccount } from '@/lib/api/schemas'
import type { PageLanguage } from '@/lib/messages/page-words'

/** At the end of a row that leads to a page. */
export const Onward = () => (
  <span className="shrink-0 -rotate-90 text-muted rtl:rotate-90">
    <ChevronIcon />
  </span>
)

interface RowListProps {
  list?: RefObject<HTMLDivElement | null>
  /** The id of the list, which gets the focus when a row goes away */
  place: string
  /** Shown where there are no rows */
  empty: { title: string; text: string }
  rows: readonly ReactNode[]
}

/** A card of rows that a person can remove. Messages about a removal appear above it. */
export function RowList({ list, place, empty, rows }: RowListProps) {
  return (
    <Place id={place} ref={list} className="mt-8" messages="has-data-tone:mb-5">
      {rows.length === 0 && <EmptyList {...empty} />}
      <ul className="divide-y not-has-[li]:hidden divide-line rounded-card border border-line bg-surface px-card shadow-raised">
        {rows}
      </ul>
    </Place>
  )
}

/** What keeps an account from becoming an administrator; null for those whom the server lets in, if their passkey has verified them. */
export function obstacleOf({ disabled, passkeys }: Pick<ListedAccount, 'disabled' | 'passkeys'>) {
  if (disabled) return 'disabled'
  return passkeys.length === 0 ? 'passkey' : null
}

/** A field for what `query` of the operators' API finds: the beginning of a name or an address, or a whole id. */
export function AccountQuery(field: Omit<FieldProps, 'name' | 'type'>) {
  return (
    <Field
      {...field}
      name="query"
      type="search"
      maxLength={254}
      dir="auto"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

interface PagerProps {
  language: PageLanguage
  path: string
  /** The filters of the list, without the cursor `after` */
  query: Record<string, string>
  /** Where the next page begins; null on the last */
  after: string | null
  isFirst: boolean
}

/** Writes a path with a query, and leaves out parameters without a value. */
export function addressOf(path: string, query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** Leads to the next page of a list and back to the first: a cursor has no page numbers. */
export function Pager({ language, path, query, after, isFirst }: PagerProps) {
  const { pages, next, first } = language.words.admin
  if (after === null && isFirst) return null
  return (
    <nav aria-label={pages} className="mt-6 flex flex-wrap gap-2.5">
      {!isFirst && <ButtonLink href={addressOf(path, query)}>{first}</ButtonLink>}
      {after !== null && <ButtonLink href={addressOf(path, { ...query, after })}>{next}</ButtonLink>}
    </nav>
  )
}

interface PersonProps {
  username: string
  displayName: string | null
  /** The link to the account, where nothing else in the row leads to it */
  href?: string
}

/** A person's username with the display name below. */
export function Person({ username, displayName, href }: PersonProps) {
  const name = <bdi translate="no">{username}</bdi>
  return (
    <>
      {href === undefined ? (
        <p className="font-medium wrap-anywhere">{name}</p>
      ) : (
        <a href={href} className="font-medium wrap-anywhere hover:underline">
          {name}
        </a>
      )}
      {displayName !== null && (
        <p className="text-small break-words text-muted">
          <bdi translate="no">{displayName}</bdi>
        </p>
      )}
    </>
  )
}

/** Finds a name by its id. Asks for own properties, because an id may be a word such as `constructor`, which every object has. */
export const nameOf = (names: Record<string, string>, id: string): string | undefined =>
  Object.hasOwn(names, id) ? names[id] : undefined

/** @param by as the operators' log has it: an administrator's id, or `key:` and the name of a key */
export const operatorName = (usernames: Record<string, string>, by: string): string =>
  nameOf(usernames, by) ?? by.replace(/^key:/, '')
