import { LanguageSwitch, type PageQuery } from '@/components/ui/page/language-switch'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import type { PageLanguage } from '@/lib/messages/page-words'

export interface PageFooterProps {
  language: Pick<PageLanguage, 'locale' | 'choices'> & { words: Pick<Words, 'site'> }
  site: Pick<Site, 'appName' | 'logo' | 'homeUrl' | 'termsUrl' | 'privacyUrl' | 'supportUrl'>
  query?: PageQuery | undefined
}

/** The adopter's links and the languages, at the foot of a page. */
export function PageFooter({ language: { locale, words, choices }, site, query }: PageFooterProps) {
  const links = [
    [words.site.terms, site.termsUrl],
    [words.site.privacy, site.privacyUrl],
    [words.site.support, site.supportUrl],
  ] as const
  const set = links.flatMap(([name, href]) => (href === null ? [] : [{ name, href }]))
  if (set.length + choices.length === 0) return null
  return (
    <footer className="mt-auto flex flex-wrap items-center justify-center gap-x-6 px-4 pb-2 sm:px-6">
      {set.length > 0 && (
        <ul className="flex flex-wrap justify-center gap-x-6">
          {set.map(({ name, href }) => (
            <li key={name}>
              <a
                href={href}
                className="inline-flex min-h-11 items-center text-center text-small text-muted hover:text-ink hover:underline"
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      <LanguageSwitch label={words.site.languages} locale={locale} choices={choices} query={query} />
    </footer>
  )
}
