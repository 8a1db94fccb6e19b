import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { temporaryFolder } from '../machine/temporary-folder'

const folder = 'tests/your-app'

/** Where the snippets say that Latchkey and the app are. */
export const LATCHKEY = 'https://id.example.com'
export const APP = 'https://app.example.com'

/** A file of docs/your-app's pages, with other addresses than the pages'. */
export function readSnippet(file: string, changes: Record<string, string> = {}): string {
  let text = readFileSync(join(folder, file), 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}.`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** Writes such a file where it finds the installed packages. @returns its path */
export function placeSnippet(file: string, changes?: Record<string, string>): string {
  const place = temporaryFolder('your-app', resolve('build'))
  const path = join(place, basename(file))
  writeFileSync(path, readSnippet(file, changes))
  return path
}

/**
 * A file of docs/your-app's pages as they show it.
 *
 * @param region shows only what stands between `#region` and `#endregion` with this name, as far to the left as it goes
 */
export function readRegion(file: string, region?: string): string {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  if (region === undefined) return lines.filter((line) => !/#(end)?region\b/.test(line)).join('\n')
  const [start, end] = ['#region', '#endregion'].map((mark) =>
    lines.findIndex((line) => line.endsWith(`${mark} ${region}`)),
  )
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`${file} has no region ${region}.`)
  const shown = lines.slice(start + 1, end)
  const indents = shown.filter((line) => line !== '').map((line) => line.search(/\S/))
  return shown.map((line) => `${line.slice(Math.min(...indents))}\n`).join('')
}
