import type { ReactNode } from 'react'
import { Callout } from '@/components/ui/feedback/callout'
import { Key } from '@/components/ui/icons/mark'
import { CardFrame, type PageFooterProps } from '@/components/ui/page/card-frame'
import { WordsProvider } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { cutsOf } from '@/lib/mark'
import type { Namespace } from '@/lib/messages/en'
import { type PageLanguage, wordsOfNamespaces } from '@/lib/messages/page-words'

interface CardShellProps {
  language: PageLanguage
  /** The parts of the catalogue that the components inside need, beside those of all forms */
  namespaces: readonly Namespace[]
  query?: PageFooterProps['query']
  site: Site
  title: ReactNode
  lead?: ReactNode
  /** Says what has happened before this page */
  flashMessage?: string | null
  aside?: ReactNode
  /** The cuts of the key in the band; without them, the site's */
  cuts?: string | undefined
  /** Stands above the title */
  ornament?: ReactNode
  children: ReactNode
}

export function CardShell({
  language,
  namespaces,
  query,
  site,
  title,
  lead,
  flashMessage,
  aside,
  cuts,
  ornament,
  children,
}: CardShellProps) {
  return (
    <CardFrame
      language={language}
      site={site}
      query={query}
      bandKey={<Key cuts={cuts ?? cutsOf(site.appName)} className="" />}
      aside={aside}
    >
      {ornament}
      <h1 className="text-center text-display font-semibold break-words">{title}</h1>
      {lead && <p className="mt-2.5 text-center text-balance break-words text-muted">{lead}</p>}
      {flashMessage && (
        <div role="status" data-arrival className="mt-5">
          <Callout tone="success">{flashMessage}</Callout>
        </div>
      )}
      <div className="mt-6">
        <WordsProvider {...wordsOfNamespaces(language, ['forms', 'failures', ...namespaces])}>{children}</WordsProvider>
      </div>
    </CardFrame>
  )
}

export function NoScript({ text }: { text: string }) {
  return (
    <noscript>
      <Callout tone="danger" className="mb-5">
        {text}
      </Callout>
    </noscript>
  )
}
