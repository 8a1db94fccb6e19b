// Builds unless there is a build of exactly this source.
import { existsSync, readFileSync } from 'node:fs'
import { sourceDigest, stampFile } from './source-digest.mjs'

const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
if (built !== sourceDigest()) await import('./build.mjs')
