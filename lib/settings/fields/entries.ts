/** What commas separate in a setting, without the spaces around it. */
export const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim())
