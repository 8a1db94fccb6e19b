/* Lists in columns and parameters, such as scopes and redirect URIs. No word contains a space. */

export const joinSpaced = (words: readonly string[]) => words.join(' ')

export const splitSpaced = (text: string) => text.split(' ').filter(Boolean)
