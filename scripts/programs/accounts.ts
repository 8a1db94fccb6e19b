// `npm run accounts -- <command>`: what operators do with accounts. docs/accounts.md explains the commands.
import './broken-pipe.mjs'
import nextEnv from '@next/env'
import { logToStandardError } from '@/lib/process/log'
import { addApps } from './accounts/apps/app'
import { addBackup } from './accounts/backup'
import { addCheck } from './accounts/check'
import { createProgram, run } from './accounts/command/frame'
import { addDelete } from './accounts/delete'
import { addDeliveries } from './accounts/deliveries'
import { addDisable, addEnable } from './accounts/disable'
import { addEmail } from './accounts/email'
import { addExport } from './accounts/export'
import { addGroup } from './accounts/group'
import { addImport } from './accounts/import'
import { addInvite } from './accounts/invite'
import { addList } from './accounts/list'
import { addRecoveryCodes } from './accounts/recovery-codes'
import { addRename } from './accounts/rename'
import { addRestore } from './accounts/restore'
import { addShow } from './accounts/show'
import { addSignOut } from './accounts/sign-out'
import { addSigningKey } from './accounts/signing-key'
import { addStats } from './accounts/stats'

// Standard output is the command's answer alone.
logToStandardError()
nextEnv.loadEnvConfig(process.cwd(), false, { info: () => undefined, error: console.error })
const program = createProgram()
const commands = [
  ...[addList, addShow, addStats, addRecoveryCodes, addSignOut, addDisable, addEnable, addRename, addEmail, addDelete],
  ...[addGroup, addExport, addInvite, addImport, addBackup, addRestore, addCheck, addApps, addSigningKey],
  addDeliveries,
]
for (const add of commands) add(program)
await run(program)
