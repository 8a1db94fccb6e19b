import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

export default function pack() {
  const cwd = resolve(import.meta.dirname, '../..')
  execFileSync(process.execPath, ['scripts/pack.mjs', '--kit'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
