import { readEnvFiles } from '../../lib/settings/env-files.mjs'

/**
 * PORT and HOST as options of `next dev`, which reads .env only after it listens and does not know HOST.
 *
 * @param {string} folder the folder with .env
 */
export function listenOptions(folder) {
  const { PORT, HOST } = { ...readEnvFiles(folder, 'development'), ...process.env }
  return [...(PORT ? ['--port', PORT] : []), ...(HOST ? ['--hostname', HOST] : [])]
}
