import type { WriteStream } from 'node:tty'
import type { ImportProgress } from '@/lib/auth/operator/import/accounts'

const width = 30
const clearLine = '\r\u001b[K'

/**
 * A bar on a terminal; elsewhere only what is said.
 *
 * @param size bytes of the whole, or null if nobody knows
 */
export function progressBar(terminal: Pick<WriteStream, 'write' | 'isTTY'>, size: number | null) {
  const clear = () => void (terminal.isTTY && terminal.write(clearLine))
  return {
    clear,
    show({ bytes, created, existing, rejected }: ImportProgress): void {
      const counts = `${created} created, ${existing} existing, ${rejected} rejected`
      if (terminal.isTTY) terminal.write(`${clearLine}${size === null ? '' : bar(bytes / size)}${counts}`)
    },
    say(line: string): void {
      clear()
      terminal.write(`${line}\n`)
    },
  }
}

function bar(done: number): string {
  const filled = Math.round(Math.min(done, 1) * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(Math.floor(done * 100)).padStart(3)}%  `
}
