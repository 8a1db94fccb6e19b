import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Reads the files of settings in a folder like `node --env-file`: `$` stands for itself, since a secret may have one.
 *
 * @param {string} folder
 * @param {'production' | 'development'} mode
 * @returns {Record<string, string | undefined>}
 */
export function readEnvFiles(folder, mode = 'production') {
  // The first file that has a name wins.
  const files = [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']
  return Object.assign({}, ...files.reverse().map((name) => parseEnv(contentOf(join(folder, name)))))
}

/**
 * Adds them to the environment, whose own values win.
 *
 * @param {string} folder
 * @param {'production' | 'development'} mode
 */
export function loadEnvFiles(folder, mode = 'production') {
  for (const [name, value] of Object.entries(readEnvFiles(folder, mode))) process.env[name] ??= value
  // Next would read the files again, and expand `$` in our variables too.
  process.env.__NEXT_PROCESSED_ENV = 'true'
}

/** @param {string} path */
function contentOf(path) {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || code === 'EISDIR') return ''
    throw error
  }
}
