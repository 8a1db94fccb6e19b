import { palette } from '@/lib/settings/branding/accent'
import { settings } from '@/lib/settings/settings'

/** The one card of other pages: the brand above it, the adopter's links at the foot. */
const layout = [
  ':root{color-scheme:light dark}',
  'body{box-sizing:border-box;display:flex;flex-direction:column;min-height:100vh;max-width:28rem;margin:0 auto;padding:1.25rem min(1rem,4.3vw) 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word;text-align:center}',
  'header{display:flex;align-items:center;justify-content:center;gap:.625rem;min-height:2.75rem;font-weight:600}',
  'header svg{flex:none;width:1.75rem}',
  'main{margin:1.5rem 0 3rem;padding:2rem min(1.25rem,5.4vw) 1.5rem;border:1px solid;border-radius:.875rem}',
  'h1{margin:0;font-size:clamp(1.5rem,1.25rem + 1.25vw,1.75rem);line-height:1.2;letter-spacing:-.022em;text-wrap:balance}',
  'p{margin:.625rem 0 1.5rem;text-wrap:balance}',
  '.detail{margin-top:-1rem;font-size:.8125rem;overflow-wrap:anywhere}',
  'a{display:block;padding:.5625rem 1rem;border:1px solid transparent;border-radius:.5625rem;text-decoration:none}',
  'a:focus-visible{outline:2px solid;outline-offset:2px}',
  'main a{font-weight:500;box-shadow:0 1px 0 rgb(0 0 0/.12)}',
  'footer{display:flex;flex-wrap:wrap;justify-content:center;margin-top:auto;font-size:.875rem}',
  'footer a:hover{text-decoration:underline}',
  '@media(min-width:40rem){body{padding:max(1.5rem,7vh) 1.5rem 1rem}main{padding:2.25rem 2rem 2rem}}',
  '@media(forced-colors:active){main a{border:3px solid}}',
].join('')

/** `--shade` of app/globals.css. */
const shadow = { light: 'rgb(22 27 25/.07)', dark: 'rgb(0 0 0/.4)' }

/** In the colours of the other pages, which an adopter sets. */
export function plainPageStyle(): string {
  const { accent } = settings()
  const colours = (theme: 'light' | 'dark') => {
    const { paper, surface, line, ink, muted } = palette[theme]
    const shade = shadow[theme]
    const shades = accent?.[theme] ?? palette[theme]
    return [
      `:root{background:${paper};color:${ink}}`,
      `main{background:${surface};border-color:${line};box-shadow:0 1px 2px ${shade},0 8px 24px -12px ${shade}}`,
      `p,footer a{color:${muted}}`,
      `main a{background:${shades.accent};color:${shades.onAccent}}`,
      `rect{fill:${shades.accent}}.fill{fill:${shades.onAccent}}.stroke{fill:none;stroke:${shades.onAccent};stroke-width:2.75;stroke-linecap:round;stroke-linejoin:round}`,
    ].join('')
  }
  return `${layout}${colours('light')}@media(prefers-color-scheme:dark){${colours('dark')}}`
}
