import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

export default function pack() {
  const cwd = resolve(import.meta.dirname, '../..')
  execFileSync(process.execPath, ['scripts/pack-kit.mjs'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
