/* Lists in columns and parameters, such as scopes and redirect URIs. No word contains a space. */

export const joinWords = (words: readonly string[]) => words.join(' ')

export const splitWords = (text: string) => text.split(' ').filter(Boolean)
