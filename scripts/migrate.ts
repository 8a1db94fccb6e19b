// Run by a build on Vercel: `node build/migrate.mjs check` checks the settings, without `check` it also migrates the database.
import nextEnv from '@next/env'
import { migrate } from '@/lib/database/migrate'
import { SettingsError, settings } from '@/lib/settings/settings'

nextEnv.loadEnvConfig(process.cwd(), false)
try {
  const { backendUrl } = settings()
  // A front end deployed apart has no database.
  if (process.argv[2] !== 'check' && !backendUrl) await migrate()
} catch (error) {
  const lines = error instanceof SettingsError ? error.faults : [error instanceof Error ? error.message : String(error)]
  process.stderr.write(`This cannot be deployed:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  process.exitCode = 1
}
