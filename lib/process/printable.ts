/** Control characters could turn the terminal that shows the log; JSON escapes the first 32 alone. */
export const printable = (text: string, maxLength: number) =>
  text.slice(0, maxLength).replace(/[^\P{C}\n]/gu, '\u{fffd}')
