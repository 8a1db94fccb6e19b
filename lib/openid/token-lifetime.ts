/** Of access and ID tokens. */
export const tokenSeconds = 3600

/** How long the row of a code and a public key are kept after the last token: with a margin for clocks. */
export const keptMilliseconds = 2 * tokenSeconds * 1000
