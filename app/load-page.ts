import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { withNext } from '@/lib/api/urls'
import { currentAccount, SignedIn } from '@/lib/http/pages/load'
import { siteInfo } from '@/lib/http/pages/site'
import { pageLanguage } from '@/lib/http/request/language'
import type { Words } from '@/lib/messages/en'

export interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A parameter of the query, which may stand in it repeatedly. */
export const firstOf = (parameter: string | string[] | undefined) => [parameter].flat()[0]

/** The token of the app's request that a page shows. */
export const requestTokenOf = async ({ searchParams }: PageProps) => firstOf((await searchParams).request) ?? ''

/** Loads the data that every page needs. The page, its metadata and the layout share one result per request. */
export const loadPage = cache(async () => {
  const sent = await headers()
  const language = pageLanguage(sent)
  return { headers: sent, language, site: siteInfo(language) }
})

/** The `generateMetadata` of a page whose title is a message of the catalogue. */
export const titleOf = (select: (words: Words) => string) => async (): Promise<Metadata> => ({
  title: select((await loadPage()).language.words),
})

/** Finds the person whom the page is for, once for the page and its title: the session may end between two reads. */
export const findSignedIn = cache(async () => SignedIn.find((await loadPage()).headers))

/** Loads a signed-in page; without a session, redirects to /signin, which leads back to `path`. */
export async function loadAccountPage(path: string) {
  const page = await loadPage()
  const signedIn = await findSignedIn()
  if (!signedIn) redirect(withNext('/signin', path))
  return { ...page, signedIn, account: signedIn.account }
}

/** Loads a page for people who are not signed in, and redirects others to `path`. */
export async function loadVisitorPage(path: string) {
  const page = await loadPage()
  if (await currentAccount(page.headers)) redirect(path)
  return page
}

/** Loads the app's request that a page shows, once for the page and its title. */
export const requestLoader = <R>(load: (headers: Headers, token: string) => Promise<R | null>) =>
  cache(async (token: string) => load((await loadPage()).headers, token))

/**
 * Loads the app's request for a page. Null if it has expired or has its answer; restarts another session's.
 *
 * @param restart finds where the request begins again; null if it cannot
 */
export async function loadRequestOrRestart<R>(
  token: string,
  load: (token: string) => Promise<R | null>,
  restart: (headers: Headers, token: string) => Promise<string | null>,
): Promise<R | null> {
  const request = await load(token)
  if (request !== null) return request
  const { headers } = await loadPage()
  const path = await restart(headers, token)
  if (path !== null) redirect(path)
  return null
}
