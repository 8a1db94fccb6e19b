import nextEnv from '@next/env'

/**
 * PORT and HOST as options of `next dev`, which reads .env only after it listens and does not know HOST.
 *
 * @param {string} folder the folder with .env
 */
export function listenOptions(folder) {
  const { PORT, HOST } = nextEnv.loadEnvConfig(folder, true).combinedEnv
  // Next reloads .env when it changes; variables left in the environment would override it.
  nextEnv.resetEnv()
  return [...(PORT ? ['--port', PORT] : []), ...(HOST ? ['--hostname', HOST] : [])]
}
