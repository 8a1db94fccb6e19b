import { notFound } from 'next/navigation'
import { loadPage, type PageProps, titleOf } from '@/app/load-page'
import { StopRecovery } from '@/components/auth/recovery'
import { Key } from '@/components/ui/icons/mark'
import { CardFrame } from '@/components/ui/page/card-frame'
import { NoScript } from '@/components/ui/page/card-shell'
import { WordsProvider } from '@/components/ui/words/words'
import { cutsOf } from '@/lib/mark'
import { wordsOfNamespaces } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.recover.stopTitle)

export default async function StopRecoveryPage({ searchParams }: PageProps) {
  const { language, site } = await loadPage()
  if (site.recovery === null) notFound()
  return (
    <CardFrame
      language={language}
      site={site}
      query={await searchParams}
      bandKey={<Key cuts={cutsOf(site.appName)} className="" />}
    >
      <NoScript text={language.words.noScript.text} />
      <WordsProvider {...wordsOfNamespaces(language, ['forms', 'failures', 'recover'])}>
        <StopRecovery site={site} />
      </WordsProvider>
    </CardFrame>
  )
}
