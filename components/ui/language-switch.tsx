import { type Locale, languageOf } from '@/lib/messages/locales'

type Query = Record<string, string | string[] | undefined>

interface Props {
  label: string
  locale: Locale
  choices: readonly Locale[]
  /** The query of the page's address, which the links keep. */
  query?: Query | undefined
}

/** Links to the page in other languages; proxy.ts keeps the choice in a cookie. They work without JavaScript. */
export function LanguageSwitch({ label, locale, choices, query = {} }: Props) {
  if (choices.length === 0) return null
  return (
    <nav aria-label={label} className="flex flex-wrap justify-center gap-x-1 text-small">
      {choices.map((choice) => (
        <a
          key={choice}
          href={addressIn(choice, query)}
          lang={choice}
          dir={languageOf(choice).direction}
          hrefLang={choice}
          rel="nofollow"
          aria-current={choice === locale ? 'true' : undefined}
          className="inline-flex min-h-11 items-center rounded-control px-2 text-muted hover:text-ink hover:underline aria-[current=true]:font-medium aria-[current=true]:text-ink"
        >
          {languageOf(choice).name}
        </a>
      ))}
    </nav>
  )
}

function addressIn(locale: Locale, query: Query): string {
  const given = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => (value === undefined || name === 'locale' ? [] : [[name, value]])),
  )
  return `?${new URLSearchParams([...given, ['locale', locale]])}`
}
