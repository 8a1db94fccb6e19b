import { markUrl } from '@/lib/mark'
import { palette, type Shades } from '@/lib/settings/branding/accent'
import { settings } from '@/lib/settings/settings'

/** The page's background, which browsers also use for their toolbars (`theme-color`). */
export const paper = { light: palette.light.paper, dark: palette.dark.paper }

/** Overrides app/globals.css. */
export function accentStyle(): string | null {
  const { accent } = settings()
  if (!accent) return null
  return `html:root{${declare(accent.light)}}@media (prefers-color-scheme:dark){html:root{${declare(accent.dark)}}}`
}

const declare = ({ accent, strong, wash, onAccent }: Shades) =>
  `--accent:${accent};--accent-strong:${strong};--accent-wash:${wash};--on-accent:${onAccent}`

/** The mark of a site of another name in its accent, for the browser's tab, which has no theme. */
export const markIcon = (appName: string) => markUrl(appName, settings().accent?.light ?? palette.light)
