import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

let ignored = false

/** For a folder whose files are an app's, and not ours: nothing is read there. */
export function ignoreEnvFiles() {
  ignored = true
}

/**
 * Reads the files of settings in a folder like `node --env-file`: `$` stands for itself, since a secret may have one.
 *
 * @param {string} folder
 * @param {'production' | 'development'} mode
 * @returns {Record<string, string | undefined>}
 */
export function readEnvFiles(folder, mode = 'production') {
  if (ignored) return {}
  // The first file that has a name wins.
  const files = [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']
  return Object.assign({}, ...files.reverse().map((name) => readEnvFile(join(folder, name))))
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

/**
 * PORT and HOST as options of `next dev`, which reads .env only after it listens and does not know HOST.
 *
 * @param {string} folder the folder with .env
 */
export function listenOptions(folder) {
  const { PORT, HOST } = { ...readEnvFiles(folder, 'development'), ...process.env }
  return [...(PORT ? ['--port', PORT] : []), ...(HOST ? ['--hostname', HOST] : [])]
}

/**
 * One such file; nothing if there is none.
 *
 * @param {string} path
 * @returns {Record<string, string | undefined>}
 */
export function readEnvFile(path) {
  try {
    return parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw error
  }
}
