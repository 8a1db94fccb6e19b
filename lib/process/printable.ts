/** Control characters could take over the terminal that shows the log; JSON escapes only the first 32. */
export const printable = (text: string, maxLength: number) =>
  text.slice(0, maxLength).replace(/[^\P{C}\n]/gu, '\u{fffd}')
