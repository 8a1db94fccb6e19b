import nextEnv from '@next/env'

/**
 * Where `next dev` listens by PORT and HOST, as its options: it reads .env only once it listens, and does not know HOST.
 *
 * @param {string} folder holds .env
 */
export function listenOptions(folder) {
  const { PORT, HOST } = nextEnv.loadEnvConfig(folder, true).combinedEnv
  // Next loads .env itself, and again when it changes; variables left here would win over the changed file.
  nextEnv.resetEnv()
  return [...(PORT ? ['--port', PORT] : []), ...(HOST ? ['--hostname', HOST] : [])]
}
