import { notFound } from 'next/navigation'
import { loadPage, type PageProps, titleOf } from '@/app/load-page'
import { Recovery } from '@/components/auth/recovery'
import { ButtonLink } from '@/components/ui/button'
import { Key } from '@/components/ui/icons/mark'
import { CardFrame } from '@/components/ui/page/card-frame'
import { NoScript } from '@/components/ui/page/card-shell'
import { TextLink } from '@/components/ui/text-link'
import { WordsProvider } from '@/components/ui/words/words'
import { cutsOf } from '@/lib/mark'
import { duration } from '@/lib/messages/format/dates'
import { wordsOfNamespaces } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.recover.title)

/** For people who have lost every way in, also where somebody else is signed in. */
export default async function RecoverPage({ searchParams }: PageProps) {
  const { language, site } = await loadPage()
  if (site.recovery === null) notFound()
  const { forms, signIn, failures, noScript } = language.words
  return (
    <CardFrame
      language={language}
      site={site}
      query={await searchParams}
      bandKey={<Key cuts={cutsOf(site.appName)} className="" />}
      aside={
        <>
          <TextLink href="/signin?recover">{forms.useRecoveryCode}</TextLink>
          {site.supportUrl === null ? (
            <p className="py-2.5 text-muted">{signIn.askAdministrator}</p>
          ) : (
            <TextLink href={site.supportUrl}>{failures.contactSupport}</TextLink>
          )}
        </>
      }
    >
      <NoScript text={noScript.text} />
      <WordsProvider {...wordsOfNamespaces(language, ['forms', 'failures', 'recover', 'passwordAdvice', 'dates'])}>
        <Recovery site={site} wait={duration(language.locale, site.recovery)} />
      </WordsProvider>
      <div className="mt-2 -mb-2.5 grid">
        <ButtonLink href="/signin" look="quiet">
          {signIn.anotherWay}
        </ButtonLink>
      </div>
    </CardFrame>
  )
}
