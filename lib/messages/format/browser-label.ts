/**
 * The API's "Firefox on Windows" is English; pages show "Firefox · Windows" in every language. No line begins with the dot.
 */
export const browserLabel = (browser: string) => browser.replace(' on ', '\u00a0· ')
