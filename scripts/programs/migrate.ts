// `node build/migrate.mjs`, for builds on Vercel and restored databases: checks the settings and migrates; with `check` only
// checks. A build of production on Vercel also applies the file of APPLY, as elsewhere each start does, and prints a link for an
// administrator while none can sign in: there is no shell to make one.

import { resolve } from 'node:path'
import { inviteAdministrator } from '@/lib/auth/operator/invitations'
import { commandOperator } from '@/lib/auth/operator/operator'
import { connection, migrate } from '@/lib/database/client'
import { explained } from '@/lib/database/errors'
import { applyAtStart } from '@/lib/openid/file/apply'
import { declareOwnFolder } from '@/lib/process/files'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { faultReport, settings } from '@/lib/settings/settings'

const args = process.argv.slice(2)
if (args.length > 1 || (args[0] ?? 'check') !== 'check') {
  process.stderr.write('Usage: node build/migrate.mjs [check]\n')
  process.exit(2)
}
declareOwnFolder(resolve(import.meta.dirname, '..'))
loadEnvFiles(process.cwd())
try {
  const { backendUrl, onVercel, appFile } = settings()
  // A front end of a split deployment has no database.
  if (args.length === 0 && !backendUrl) {
    await migrate()
    // A preview has the same file, and would give production's database what nobody has approved.
    if (onVercel && process.env.VERCEL_ENV === 'production') {
      await applyAtStart(appFile)
      const invitation = await inviteAdministrator(commandOperator())
      if (invitation)
        process.stdout.write(`No administrator can sign in. Within an hour, one signs up at ${invitation.url}\n`)
      await (await connection()).close()
    }
  }
} catch (error) {
  process.stderr.write(faultReport('Latchkey cannot be deployed', explained(error)))
  process.exitCode = 1
}
