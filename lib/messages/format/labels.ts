// Apart from the words of a page, which every page's script holds.
import type { PageLanguage } from '../page-words'
import { fill } from './text'

/** "Continue", and to which app if it is one. */
export const continueLabel = ({ locale, words }: PageLanguage, app: string | null): string =>
  app === null ? words.account.continue : fill(locale, words.profile.continueTo, { app })

/**
 * The API's "Firefox on Windows" is English; pages show "Firefox · Windows" in every language. No line begins with the dot.
 */
export const browserLabel = (browser: string) => shortName(browser).replace(' on ', '\u00a0· ')

/** As "Firefox (Windows)" in a list, whose other separators the dot would be one of. */
export const listedBrowser = (browser: string) => shortName(browser).replace(/ on (.*)$/, ' ($1)')

/** Without the maker, as people call them all. */
const shortName = (browser: string) => browser.replace(/^Microsoft /, '')
