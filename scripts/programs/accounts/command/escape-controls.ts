/**
 * What a terminal obeys or does not show: controls, bidirectional ones too, line separators, tags, lone surrogates. Line feeds
 * are the command's own, and joiners belong to emoji and words.
 */
const unprintable = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * An answer as an operator's terminal may get it: what a client named must not turn or overwrite what stands beside it. The
 * escapes are those of JSON, so that JSON keeps its meaning.
 */
export const escapeControls = (text: string): string => text.replace(unprintable, escaped)

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')
