/** The API's "Firefox on Windows" is English; pages show "Firefox · Windows" in every language. */
export const browserLabel = (browser: string) => browser.replace(' on ', ' · ')
