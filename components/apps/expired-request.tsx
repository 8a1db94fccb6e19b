import { ButtonLink } from '@/components/ui/button'
import { CardShell } from '@/components/ui/page/card-shell'
import type { PageQuery } from '@/components/ui/page/page-footer'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  site: Site
  query: PageQuery
  words: Pick<Words['appRequest' | 'appSignOut'], 'failed' | 'expired'>
}

/**
 * The page of an app's request that has expired or has its answer. Fills no button, because only going back to the app helps.
 */
export const ExpiredRequest = ({ language, site, query, words: { failed, expired } }: Props) => (
  <CardShell language={language} namespaces={[]} query={query} site={site} title={failed} lead={expired}>
    <div className="grid">
      <ButtonLink href="/">{language.words.site.home}</ButtonLink>
    </div>
  </CardShell>
)
