import type { ReactNode } from 'react'
import { LanguageIcon } from '@/components/ui/icons/icons'
import { Mark } from '@/components/ui/icons/mark'
import { Brand, BrandedCard } from '@/components/ui/page/brand'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import { type Locale, languageOf } from '@/lib/messages/locales'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props extends PageFooterProps {
  bandKey?: ReactNode
  /** Stands below the card */
  aside?: ReactNode
  children: ReactNode
}

/** The brand above one card, and the foot of the page. */
export function CardFrame({ children, bandKey, aside, ...footer }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <BrandedCard
        bandKey={bandKey}
        brand={<Brand site={footer.site} mark={<Mark appName={footer.site.appName} />} />}
        aside={aside}
        className="pb-6"
      >
        {children}
      </BrandedCard>
      <PageFooter {...footer} />
    </div>
  )
}

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

/** The query of a page's URL, as Next gives it. */
export type PageQuery = Record<string, string | string[] | undefined>

interface LanguageSwitchProps {
  label: string
  locale: Locale
  choices: readonly Locale[]
  /** The query of the page's URL, which the links keep. */
  query?: PageQuery | undefined
}

/**
 * A menu of links to this page in other languages; `preparePage()` stores the choice in a cookie. A popover needs no
 * JavaScript, and closes on Escape and on a press outside.
 */
function LanguageSwitch({ label, locale, choices, query = {} }: LanguageSwitchProps) {
  if (choices.length === 0) return null
  return (
    <nav aria-label={label} className="relative text-small">
      <button
        type="button"
        popoverTarget="languages"
        className="flex min-h-11 cursor-pointer items-center gap-1.5 rounded-control px-2 text-muted hover:text-ink"
      >
        <LanguageIcon />
        <span className="sr-only">{`${label}: `}</span>
        {languageOf(locale).name}
      </button>
      {/* Styles the links from here: repeated on each link, the classes would be a tenth of the page. */}
      <div
        id="languages"
        popover="auto"
        className="language-menu w-40 rounded-card border border-line bg-surface p-1.5 text-ink shadow-menu *:flex *:min-h-11 *:items-center *:rounded-control *:px-3 *:text-muted *:aria-[current=true]:font-medium *:aria-[current=true]:text-ink *:hover:bg-sunken *:hover:text-ink"
      >
        {choices.map((choice) => (
          <a
            key={choice}
            href={urlIn(choice, query)}
            lang={choice}
            hrefLang={choice}
            rel="nofollow"
            aria-current={choice === locale ? 'true' : undefined}
          >
            {languageOf(choice).name}
          </a>
        ))}
      </div>
    </nav>
  )
}

function urlIn(locale: Locale, query: PageQuery): string {
  const given = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === undefined || name === 'locale' ? [] : [[name, value]])),
  )
  return `?${new URLSearchParams([...given, ['locale', locale]])}`
}
