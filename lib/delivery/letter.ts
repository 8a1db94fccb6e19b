import { wordsIn } from '@/lib/messages/catalogues'
import type { Words } from '@/lib/messages/en'
import { dayOf, momentOf } from '@/lib/messages/format/dates'
import { browserLabel } from '@/lib/messages/format/labels'
import { escapeHtml, fill } from '@/lib/messages/format/text'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { palette } from '@/lib/settings/branding'
import { settings } from '@/lib/settings/settings'

export type LetterKind = keyof Words['letters']['titles']

/** What a letter says. One to an address that is not yet its account's has no word that a person chose. */
export interface Letter {
  kind: LetterKind
  to: string
  locale: Locale
  /** When it happened, in milliseconds since 1970 */
  at: number
  /** The username of the account that it is about */
  account?: string
  /** As `browserName` returns it, null for an unknown one; without it, no browser did it */
  browser?: string | null
  /** An operator did it */
  byOperator?: true
  code?: string
  /** The path of the page that the button opens, with its fragment */
  path?: string
  /** When the link ends, in milliseconds since 1970 */
  until?: number
  /** The name of an operator's key */
  key?: string
}

/** The parts of a letter in its reader's words, from top to bottom. */
interface Content {
  subject: string
  title: string
  text: string | null
  code: string | null
  facts: [name: string, value: string][]
  /** What to do if something is wrong */
  advice: string | null
  button: { name: string; url: string } | null
  /** For whom nothing is to be done */
  note: string | null
  footer: string[]
  support: { name: string; url: string } | null
}

/** @param count how many times it happened */
export function composeLetter(letter: Letter, count = 1): { subject: string; text: string; html: string } {
  const content = contentOf(letter, count)
  return { subject: content.subject, text: asText(content), html: asHtml(content, letter.locale) }
}

/** Letters to an address that nobody has proved to be their account's. */
const toUnproved: readonly LetterKind[] = ['code', 'taken', 'invitation', 'test']

function contentOf(letter: Letter, count: number): Content {
  const { kind, locale, code, to } = letter
  const { appName: app, origins, supportUrl } = settings()
  const { letters: words, site } = wordsIn(locale)
  const title = words.titles[kind]
  const [origin] = origins
  // Where the letter says whom to ask, the way there is its one button.
  const asks = letter.byOperator === true || kind === 'account_deleted' || kind === 'recovered'
  const support = supportUrl === null ? null : { name: site.support, url: new URL(supportUrl, origin).href }
  return {
    subject: fill(locale, words.subject, { app, title }),
    title,
    text: textOf(letter),
    code: code ?? null,
    facts: toUnproved.includes(kind) ? [] : factsOf(letter, count),
    advice: adviceOf(letter),
    button: buttonOf(letter, origin) ?? (asks ? support : null),
    note: noteOf(letter),
    footer: [
      toUnproved.includes(kind)
        ? fill(locale, words.whyEntered, { app, address: to })
        : fill(locale, words.why, { app, address: to }),
      words.noReplies,
    ],
    support: asks ? null : support,
  }
}

function textOf({ kind, locale, until }: Letter): string | null {
  const { letters: words } = wordsIn(locale)
  const { appName: app } = settings()
  if (kind === 'code') return words.enterCode
  if (kind === 'taken') return words.takenText
  if (kind === 'test') return fill(locale, words.testText, { app })
  const date = momentText(locale, until ?? 0)
  if (kind === 'invitation') return fill(locale, words.invitationText, { app, date })
  if (kind === 'recovery') return fill(locale, words.recoveryText, { date })
  if (kind === 'recovery_asked') return fill(locale, words.askedText, { date })
  if (kind === 'recovered') return words.recoveredText
  return null
}

function factsOf({ locale, account, at, browser, byOperator, key }: Letter, count: number): Content['facts'] {
  const { letters: words, activity } = wordsIn(locale)
  const by = browser === null ? activity.unknownBrowser : browser && browserLabel(browser)
  return [
    ...(account === undefined ? [] : [[words.account, account] as [string, string]]),
    ...(key === undefined ? [] : [[words.key, key] as [string, string]]),
    [words.when, momentText(locale, at)],
    ...(by === undefined ? [] : [[words.browser, by] as [string, string]]),
    ...(byOperator ? [[words.by, words.administrator] as [string, string]] : []),
    // Nothing is left out, however many there were (the rest of an hour comes as one letter).
    ...(count === 1 ? [] : [[words.times, fill(locale, words.timesOf, { count })] as [string, string]]),
  ]
}

/** Writes a time with its zone, since we do not know the reader's. */
function momentText(locale: Locale, at: number): string {
  const [time, clock] = [new Date(at).toISOString(), { zone: null, now: 0 }]
  const { dates } = wordsIn(locale)
  // No line ends inside of the day.
  const date = dayOf(locale, time, clock).replaceAll(' ', '\u00a0')
  return fill(locale, dates.when, { date, time: momentOf(locale, time, clock).time })
}

function adviceOf({ kind, locale, byOperator }: Letter): string | null {
  const { letters: words } = wordsIn(locale)
  if (kind === 'recovery') return null
  if (kind === 'recovery_asked') return words.stopAdvice
  // Whoever has taken the account over is the one who can secure it.
  if (kind === 'recovered') return fill(locale, words.recoveredAdvice, { app: settings().appName })
  if (kind === 'administrator_added' || kind === 'key_added') return words.checkLog
  if (toUnproved.includes(kind)) return null
  if (byOperator) return words.askOperator
  return kind === 'account_deleted' ? words.unlessYouDeleted : words.unlessYou
}

function noteOf({ kind, locale }: Letter): string | null {
  const { letters: words } = wordsIn(locale)
  if (kind === 'code') return words.ignoreCode
  if (kind === 'taken') return words.ignoreTaken
  if (kind === 'recovery') return words.ignoreRecovery
  if (kind === 'recovery_asked') return words.ignoreAsked
  return kind === 'invitation' ? words.ignoreInvitation : null
}

function buttonOf({ kind, locale, byOperator, path }: Letter, origin: string): Content['button'] {
  const { letters: words, signIn, signUp } = wordsIn(locale)
  if (kind === 'invitation' && path) return { name: signUp.createAccount, url: origin + path }
  if (kind === 'recovery' && path) return { name: words.recoveryLink, url: origin + path }
  if (kind === 'recovery_asked' && path) return { name: words.stopIt, url: origin + path }
  if (kind === 'taken') return { name: signIn.title, url: `${origin}/signin` }
  if (kind === 'administrator_added' || kind === 'key_added') return { name: words.openLog, url: `${origin}/admin/log` }
  if (toUnproved.includes(kind) || byOperator || kind === 'account_deleted' || kind === 'recovered') return null
  return { name: words.secure, url: `${origin}/secure` }
}

const asText = ({ title, text, code, facts, advice, button, note, footer, support }: Content): string =>
  [
    title,
    text,
    code,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n') || null,
    advice,
    // On a line of its own, where no program takes a word for a part of it.
    button && `${button.name}:\n${button.url}`,
    note,
    ['-- ', ...footer, ...(support ? [`${support.name}: ${support.url}`] : [])].join('\n'),
  ]
    .filter((part) => part !== null)
    .join('\n\n')
    .concat('\n')

/** Has no pictures, scripts, forms or fonts, so that opening it tells nobody; and reads the same without its styles. */
function asHtml(
  { subject, title, text, code, facts, advice, button, note, footer, support }: Content,
  locale: Locale,
): string {
  const { appName } = settings()
  const { direction } = languageOf(locale)
  const start = direction === 'rtl' ? 'right' : 'left'
  const lang = locale === 'en-XA' ? 'en' : locale
  const paragraph = (words: string, look: string) =>
    `<p class="${look}" style="${styles[look]}">${escapeHtml(words)}</p>`
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th class="muted" scope="row" align="${start}" style="${styles.name}">${escapeHtml(name)}</th><td style="${styles.value}"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  return `<!doctype html>
<html lang="${lang}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${sheet()}</style>
</head>
<body class="paper" style="${styles.body}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="around" align="center" style="${styles.around}">
<div align="${start}" style="${styles.column}">
<p class="muted" style="${styles.brand}">${escapeHtml(appName)}</p>
<div class="card" style="${styles.card}">
<h1 style="${styles.title}">${escapeHtml(title)}</h1>
${[
  text === null ? '' : paragraph(text, 'text'),
  code === null ? '' : `<p class="code" dir="ltr" style="${styles.code}">${escapeHtml(code)}</p>`,
  rows.length === 0 ? '' : `<table cellpadding="4" cellspacing="0" style="${styles.facts}">${rows.join('\n')}</table>`,
  advice === null ? '' : paragraph(advice, 'text'),
  button === null
    ? ''
    : `<p style="${styles.text}"><a class="button" href="${escapeHtml(button.url)}" style="${styles.button}">${escapeHtml(button.name)}</a></p>`,
  note === null ? '' : `<p class="muted" style="${styles.text};color:${light.muted}">${escapeHtml(note)}</p>`,
]
  .filter(Boolean)
  .join('\n')}
</div>
<div style="padding-top:12px">
${footer.map((words) => paragraph(words, 'foot')).join('\n')}
${support === null ? '' : `<p class="foot" style="${styles.foot}"><a class="foot" href="${escapeHtml(support.url)}" style="color:${palette.light.muted}">${escapeHtml(support.name)}</a></p>\n`}</div>
</div>
</td></tr></table>
</body>
</html>
`
}

const { light, dark } = palette

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** On each element, because some mail programs drop the sheet; logical properties, because others know no direction. */
const styles: Record<string, string> = {
  body: `margin:0;padding:0;background:${light.paper};color:${light.ink};${font};font-size:16px;line-height:1.5`,
  around: 'padding:32px 16px',
  column: 'max-width:568px;text-align:start',
  brand: `margin:0 0 12px;color:${light.muted};font-size:14px;font-weight:600`,
  card: `background:${light.surface};border:1px solid ${light.line};border-radius:12px;padding:28px`,
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: `margin:0 0 16px;padding:14px 0;background:${light.paper};border-radius:8px;font:600 32px/1.2 ui-monospace,Consolas,Menlo,monospace;letter-spacing:.18em;text-align:center`,
  facts: 'width:100%;margin:0 0 16px;border-collapse:collapse',
  name: `padding:4px 0;padding-inline-end:16px;color:${light.muted};font-weight:400;text-align:start;vertical-align:top;white-space:nowrap`,
  value: 'padding:4px 0;width:100%;vertical-align:top;overflow-wrap:anywhere',
  foot: `margin:4px 0 0;color:${light.muted};font-size:13px;overflow-wrap:anywhere`,
  get button() {
    const { accent = light.accent, onAccent = light.onAccent } = settings().accent?.light ?? {}
    return `display:inline-block;padding:11px 20px;border-radius:8px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none`
  },
}

function sheet(): string {
  const { accent = dark.accent, onAccent = dark.onAccent } = settings().accent?.dark ?? {}
  return [
    ':root{color-scheme:light dark}',
    '.card>:last-child{margin-bottom:0!important}',
    '@media (max-width:480px){.around{padding:16px 12px!important}.card{padding:20px!important}}',
    '@media (prefers-color-scheme:dark){',
    `.paper,.code{background:${dark.paper}!important;color:${dark.ink}!important}`,
    `.card{background:${dark.surface}!important;border-color:${dark.line}!important}`,
    `.muted,.foot{color:${dark.muted}!important}`,
    `.button{background:${accent}!important;color:${onAccent}!important}`,
    '}',
  ].join('')
}
