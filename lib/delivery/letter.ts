import { wordsIn } from '@/lib/messages/catalogues'
import type { Words } from '@/lib/messages/en'
import { dayOf, momentOf } from '@/lib/messages/format/dates'
import { browserLabel, escapeHtml, fill } from '@/lib/messages/format/text'
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

/** What a letter of a kind says besides its title. */
interface LetterRow {
  /** Goes to an address that nobody has proved to be its account's, so it has no facts. */
  isUnproved?: true
  /** Its button is the way to whom it says to ask. */
  asks?: true
  text?: Part
  advice?: Part
  button?: (letter: Letter, words: Words) => { name: string; path: string }
  note?: Part
}

type Part = (letter: Letter, words: Words) => string

/** Something happened to an account, which its owner should recognize. */
const notice: LetterRow = {
  advice: (_, { letters }) => letters.unlessYou,
  button: (_, { letters }) => ({ name: letters.secure, path: '/secure' }),
}

/** Somebody has got power over all accounts. */
const toAdministrators: LetterRow = {
  advice: (_, { letters }) => letters.checkLog,
  button: (_, { letters }) => ({ name: letters.openLog, path: '/admin/log' }),
}

const rows: { [K in LetterKind]: LetterRow } = {
  code: {
    isUnproved: true,
    text: (_, { letters }) => letters.enterCode,
    note: (_, { letters }) => letters.ignoreCode,
  },
  taken: {
    isUnproved: true,
    text: (_, { letters }) => letters.takenText,
    button: (_, { signIn }) => ({ name: signIn.title, path: '/signin' }),
    note: (_, { letters }) => letters.ignoreTaken,
  },
  invitation: {
    isUnproved: true,
    text: (letter, { letters }) =>
      fill(letter.locale, letters.invitationText, { app: settings().appName, date: endOf(letter) }),
    button: ({ path = '' }, { signUp }) => ({ name: signUp.createAccount, path }),
    note: (_, { letters }) => letters.ignoreInvitation,
  },
  test: {
    isUnproved: true,
    text: ({ locale }, { letters }) => fill(locale, letters.testText, { app: settings().appName }),
  },
  passkey_added: notice,
  passkey_removed: notice,
  password_changed: notice,
  password_removed: notice,
  username_changed: notice,
  name_changed: notice,
  email_changed: notice,
  email_removed: notice,
  recovery_codes_made: notice,
  recovery: {
    text: (letter, { letters }) => fill(letter.locale, letters.recoveryText, { date: endOf(letter) }),
    button: ({ path = '' }, { letters }) => ({ name: letters.recoveryLink, path }),
    note: (_, { letters }) => letters.ignoreRecovery,
  },
  recovery_asked: {
    text: (letter, { letters }) => fill(letter.locale, letters.askedText, { date: endOf(letter) }),
    advice: (_, { letters }) => letters.stopAdvice,
    button: ({ path = '' }, { letters }) => ({ name: letters.stopIt, path }),
    note: (_, { letters }) => letters.ignoreAsked,
  },
  recovered: {
    asks: true,
    text: (_, { letters }) => letters.recoveredText,
    // Whoever has taken the account over is the one who can secure it.
    advice: ({ locale }, { letters }) => fill(locale, letters.recoveredAdvice, { app: settings().appName }),
  },
  recovery_used: notice,
  new_browser: notice,
  signed_out_everywhere: notice,
  session_revoked: notice,
  groups_changed: notice,
  account_disabled: notice,
  account_enabled: notice,
  account_deleted: { asks: true, advice: (_, { letters }) => letters.unlessYouDeleted },
  administrator_added: toAdministrators,
  key_added: toAdministrators,
}

/** An operator did it, whom the owner can only ask. */
const operatorsNotice: LetterRow = { asks: true, advice: (_, { letters }) => letters.askOperator }

function contentOf(letter: Letter, count: number): Content {
  const { locale, code, to } = letter
  const { appName: app, origins, supportUrl } = settings()
  const words = wordsIn(locale)
  const { letters, site } = words
  const row = letter.byOperator ? operatorsNotice : rows[letter.kind]
  const title = letters.titles[letter.kind]
  const [origin] = origins
  const own = row.button?.(letter, words)
  const support = supportUrl === null ? null : { name: site.support, url: new URL(supportUrl, origin).href }
  return {
    subject: fill(locale, letters.subject, { app, title }),
    title,
    text: row.text?.(letter, words) ?? null,
    code: code ?? null,
    facts: row.isUnproved ? [] : factsOf(letter, count),
    advice: row.advice?.(letter, words) ?? null,
    button: own ? { name: own.name, url: origin + own.path } : row.asks ? support : null,
    note: row.note?.(letter, words) ?? null,
    footer: [fill(locale, row.isUnproved ? letters.whyEntered : letters.why, { app, address: to }), letters.noReplies],
    support: row.asks ? null : support,
  }
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

const endOf = ({ locale, until = 0 }: Letter) => momentText(locale, until)

/** Writes a time with its zone, since we do not know the reader's. */
function momentText(locale: Locale, at: number): string {
  const [time, clock] = [new Date(at).toISOString(), { zone: null, now: 0 }]
  const { dates } = wordsIn(locale)
  // No line ends inside of the day.
  const date = dayOf(locale, time, clock).replaceAll(' ', '\u00a0')
  return fill(locale, dates.when, { date, time: momentOf(locale, time, clock).time })
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
