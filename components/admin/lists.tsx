import type { ReactNode, RefObject } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { Messages } from '@/components/ui/feedback/page-feedback'
import type { PageLanguage } from '@/lib/messages/page-words'

/** In place of a list without entries: what it is for, and what to do first. */
export function EmptyList({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-10 text-center sm:px-8">
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="mx-auto mt-1 max-w-md text-muted">{text}</p>
      {children && <div className="mt-5 flex justify-center">{children}</div>}
    </div>
  )
}

interface RowListProps {
  list?: RefObject<HTMLDivElement | null>
  /** Its id, with which it gets the focus when one of the rows is gone */
  place: string
  /** In place of the rows where there are none */
  empty: { title: string; text: string }
  rows: readonly ReactNode[]
}

/** A card of rows that dialogs take away, with what they have to say above it. */
export function RowList({ list, place, empty, rows }: RowListProps) {
  return (
    <div ref={list} id={place} tabIndex={-1} className="mt-8 outline-none">
      <Messages place={place} />
      {rows.length === 0 && <EmptyList {...empty} />}
      <ul className="divide-y not-has-[li]:hidden divide-line rounded-card border border-line bg-surface px-card shadow-raised">
        {rows}
      </ul>
    </div>
  )
}

interface PagerProps {
  language: PageLanguage
  path: string
  /** The query of the list without its place in it */
  query: Record<string, string>
  /** Where the next page begins; null on the last */
  after: string | null
  isFirst: boolean
}

/** @param query without what is empty */
export function addressOf(path: string, query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** Leads from page to page of a list that has a cursor, which knows no numbers. */
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
        <p className="font-medium break-all">{name}</p>
      ) : (
        <a href={href} className="font-medium break-all hover:underline">
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

/** Names by id. An id may be that of a property of every object, such as `constructor`. */
export const nameOf = (names: Record<string, string>, id: string): string | undefined =>
  Object.hasOwn(names, id) ? names[id] : undefined

/** @param by as the operators' log has it: an administrator's id, or `key:` and the name of a key */
export const operatorName = (usernames: Record<string, string>, by: string): string =>
  nameOf(usernames, by) ?? by.replace(/^key:/, '')
