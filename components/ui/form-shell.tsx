import type { ComponentProps, ReactNode } from 'react'
import { Brand } from '@/components/ui/brand'
import { DoorKey, type KeyCuts } from '@/components/ui/key'
import { Notice } from '@/components/ui/notice'
import { PageFooter } from '@/components/ui/page-footer'
import { WordsProvider } from '@/components/ui/words'
import type { Site } from '@/lib/api/site'
import type { Namespace } from '@/lib/messages/en'
import { type PageLanguage, wordsOfNamespaces } from '@/lib/messages/page-words'

interface FormShellProps {
  language: PageLanguage
  /** What the components inside need of the catalogue, beside what all forms do. */
  namespaces: readonly Namespace[]
  query?: ComponentProps<typeof PageFooter>['query']
  site: Site
  title: ReactNode
  lead?: ReactNode
  /** What has happened before this page. */
  said?: string | null
  aside?: ReactNode
  /** Of the person's own key, where there is a person. */
  cuts?: KeyCuts
  children: ReactNode
}

export function FormShell({
  language,
  namespaces,
  query,
  site,
  title,
  lead,
  said,
  aside,
  cuts,
  children,
}: FormShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-[28rem] justify-center px-page pt-5 sm:pt-[max(1.5rem,7vh)]">
        <Brand site={site} />
      </header>
      <main className="mx-auto w-full max-w-[28rem] px-page pt-9 pb-12">
        <div className="relative rounded-card border border-edge bg-surface px-card pt-8 pb-6 shadow-raised sm:px-8 sm:pt-9 sm:pb-8">
          <DoorKey cuts={cuts} />
          <h1 className="text-center text-display font-semibold break-words">{title}</h1>
          {lead && <p className="mt-1.5 text-center text-balance break-words text-muted">{lead}</p>}
          {said && (
            <div role="status" className="mt-5">
              <Notice tone="success">{said}</Notice>
            </div>
          )}
          <div className="mt-6">
            <WordsProvider {...wordsOfNamespaces(language, ['forms', 'failures', ...namespaces])}>
              {children}
            </WordsProvider>
          </div>
        </div>
        {aside && <div className="mt-4 flex flex-col items-center px-card text-center sm:px-8">{aside}</div>}
      </main>
      <PageFooter language={language} site={site} query={query} />
    </div>
  )
}
