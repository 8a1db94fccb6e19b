import { createHash } from 'node:crypto'
import { markOf } from '@/lib/mark'
import { wordsIn } from '@/lib/messages/catalogues'
import { escapeHtml } from '@/lib/messages/format/text'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { palette } from '@/lib/settings/branding'
import { settings } from '@/lib/settings/settings'
import { emptyPolicy, strictPolicy } from './headers'
import { type Answer, html } from './result'

interface PlainPage {
  title: string
  text: string
  /** A text for the app's developer, in the protocol's words */
  detail?: string
  link?: { text: string; href: string }
}

/** A page without scripts or files, for endpoints, for an app's URL, and for browsers without JavaScript. */
export function plainPage(status: number, locale: Locale, { title, text, detail, link }: PlainPage): Answer {
  const { direction } = languageOf(locale)
  const { appName } = settings()
  const style = plainPageStyle()
  const styled = `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  const policy = policyElement(`${emptyPolicy}; ${styled}`)
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${appName}`)}</title>`
  const body = [`${brand()}<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`]
  if (detail) body.push(`<p class="detail" dir="ltr">${escapeHtml(detail)}</p>`)
  if (link) body.push(anchor(link))
  body.push('</main>', footer(locale))
  const document = `<!doctype html><html lang="${locale}" dir="${direction}">${head}<style>${style}</style>${body.join('')}</html>`
  return html(document, `${strictPolicy}; ${styled}`, { status, headers: [['Content-Language', locale]] })
}

/** Draws the mark inline: the page may load no file, not even an adopter's logo. */
function brand(): string {
  const { appName, logo } = settings()
  const { stroke, fill } = markOf(appName)
  const path = stroke ? `<path class="stroke" d="${stroke}"/>` : `<path class="fill" d="${fill}"/>`
  const mark = `<svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8"/>${path}</svg>`
  return `<header>${logo === null ? mark : ''}${escapeHtml(appName)}</header>`
}

/** Makes absolute URLs, because a proxy may show the page at an app's URL. */
function footer(locale: Locale): string {
  const { termsUrl, privacyUrl, supportUrl, origins } = settings()
  const { site } = wordsIn(locale)
  const links = [
    [site.terms, termsUrl],
    [site.privacy, privacyUrl],
    [site.support, supportUrl],
  ] as const
  const set = links.flatMap(([text, url]) =>
    url === null ? [] : [anchor({ text, href: new URL(url, origins[0]).href })],
  )
  return set.length === 0 ? '' : `<footer>${set.join('')}</footer>`
}

const anchor = ({ text, href }: { text: string; href: string }) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

/** Takes the colours of our other pages, which an adopter sets. */
function plainPageStyle(): string {
  const css = `${layout}${colours('light')}@media (prefers-color-scheme: dark) {${colours('dark')}}`
  return css.replace(/\n\s*/g, '')
}

function colours(theme: 'light' | 'dark'): string {
  const { paper, surface, line, ink, muted } = palette[theme]
  const shade = shadow[theme]
  const shades = settings().accent?.[theme] ?? { ...palette[theme], wash: palette[theme].accentWash }
  const [band, onBand] = theme === 'light' ? [shades.accent, shades.onAccent] : [shades.wash, ink]
  return `
    :root {
      background: linear-gradient(${band} var(--band), transparent 0) no-repeat ${paper};
      color: ${ink};
    }
    header { color: ${onBand}; }
    main {
      border-color: ${line};
      background: ${surface};
      box-shadow: 0 1px 2px ${shade}, 0 8px 24px -12px ${shade};
    }
    p, footer a { color: ${muted}; }
    main a { background: ${shades.accent}; color: ${shades.onAccent}; }
    rect { fill: ${onBand}; }
    .fill { fill: ${band}; }
    .stroke {
      fill: none;
      stroke: ${band};
      stroke-linecap: round;
      stroke-linejoin: round;
      stroke-width: 2.75;
    }
  `
}

/** The value of `--shade` in app/globals.css. */
const shadow = { light: 'rgb(22 27 25 / 0.07)', dark: 'rgb(0 0 0 / 0.4)' }

/** Looks like our other pages: one card, the brand above it on a band, the adopter's links at the foot. */
const layout = `
  :root { --band: 8.5rem; color-scheme: light dark; }
  body {
    display: flex;
    flex-direction: column;
    box-sizing: border-box;
    max-width: 30.5rem;
    min-height: 100vh;
    margin: 0 auto;
    padding: 1rem min(1rem, 4.3vw);
    font: 1rem/1.5 system-ui, sans-serif;
    overflow-wrap: break-word;
    text-align: center;
  }
  header { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; font-weight: 600; }
  header svg { flex: none; width: 1.75rem; }
  main {
    margin: 1.25rem 0 3rem;
    padding: 1.75rem min(1.25rem, 5.4vw) 1.5rem;
    border: 1px solid;
    border-radius: 0.875rem;
  }
  h1 {
    margin: 0;
    font-size: clamp(1.5rem, 1.25rem + 1.25vw, 1.75rem);
    letter-spacing: -0.022em;
    line-height: 1.2;
    text-wrap: balance;
  }
  p { margin: 0.625rem 0 1.5rem; text-wrap: balance; }
  .detail { margin-top: -1rem; font-size: 0.8125rem; overflow-wrap: anywhere; }
  a {
    display: block;
    padding: 0.5625rem 1rem;
    border: 1px solid transparent;
    border-radius: 0.5625rem;
    text-decoration: none;
  }
  a:focus-visible { outline: 2px solid; outline-offset: 2px; }
  main a { box-shadow: 0 1px 0 rgb(0 0 0 / 0.12); font-weight: 500; }
  footer { display: flex; flex-wrap: wrap; justify-content: center; margin-top: auto; font-size: 0.875rem; }
  footer a:hover { text-decoration: underline; }
  @media (min-width: 40rem) {
    :root { --band: 10rem; }
    body { padding: 1rem 1.5rem; }
    main { margin-top: 0.75rem; padding: 1.75rem 2rem 1.5rem; }
  }
  @media (forced-colors: active) {
    :root { background-image: none !important; }
    header { color: CanvasText; }
    main a { border: 3px solid; }
  }
`

/** The policy as an element of the document: where our server does not run, Next's own header replaces ours. */
export const policyElement = (policy: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`
