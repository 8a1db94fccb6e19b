import { ButtonLink } from '@/components/ui/button'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  path: string
  /** The query of the list without its place in it */
  query: Record<string, string>
  /** Where the next page begins; null on the last */
  after: string | null
  isFirst: boolean
}

export const addressOf = (path: string, query: Record<string, string>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** Leads from page to page of a list that has a cursor, which knows no numbers. */
export function Pager({ language, path, query, after, isFirst }: Props) {
  const { pages, next, first } = language.words.admin
  if (after === null && isFirst) return null
  return (
    <nav aria-label={pages} className="mt-6 flex flex-wrap gap-2.5">
      {!isFirst && <ButtonLink href={addressOf(path, query)}>{first}</ButtonLink>}
      {after !== null && <ButtonLink href={addressOf(path, { ...query, after })}>{next}</ButtonLink>}
    </nav>
  )
}
