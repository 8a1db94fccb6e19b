/** Three times the longest valid row, which has 50 passkeys with the longest ids and keys. */
const longestLine = 1024 * 1024

export interface Line {
  line: number
  /** null if it is too long to be a row */
  text: string | null
}

/** Skips blank lines. Keeps at most one line in memory, and nothing of one that is too long. */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  consumed: (bytes: number) => void = () => undefined,
): AsyncGenerator<Line> {
  let line = 1
  let length = 0
  let parts: Buffer[] = []
  const take = (part: Buffer) => {
    length += part.length
    if (length <= longestLine) parts.push(part)
    else parts = []
  }
  const end = (): Line | null => {
    // Some editors begin a file with a byte order mark.
    const text = Buffer.concat(parts)
      .toString()
      .replace(/^\uFEFF/, '')
      .trim()
    const found = length > longestLine ? { line, text: null } : text === '' ? null : { line, text }
    line += 1
    length = 0
    parts = []
    return found
  }
  for await (const chunk of input) {
    let start = 0
    for (let stop = chunk.indexOf(0x0a); stop >= 0; stop = chunk.indexOf(0x0a, start)) {
      take(chunk.subarray(start, stop))
      start = stop + 1
      const found = end()
      if (found) yield found
    }
    take(chunk.subarray(start))
    consumed(chunk.length)
  }
  const last = end()
  if (last) yield last
}
