// `npm run accounts -- <command>`: what operators do with accounts. docs/accounts.md explains the commands.
import '../command-line/broken-pipe.mjs'
import nextEnv from '@next/env'
import { logToStandardError } from '@/lib/process/log'
import { addDelete } from './accounts/account/delete'
import { addDisable, addEnable } from './accounts/account/disable'
import { addEmail } from './accounts/account/email'
import { addExport } from './accounts/account/export'
import { addRecoveryCodes } from './accounts/account/recovery-codes'
import { addRename } from './accounts/account/rename'
import { addShow } from './accounts/account/show'
import { addSignOut } from './accounts/account/sign-out'
import { addApp } from './accounts/apps/app'
import { createProgram, run } from './accounts/command/program'
import { addBackup } from './accounts/database/backup'
import { addCheck } from './accounts/database/check'
import { addRestore } from './accounts/database/restore'
import { addDeliveries } from './accounts/deliveries'
import { addGroup } from './accounts/group'
import { addImport } from './accounts/import'
import { addInvite } from './accounts/invite'
import { addList } from './accounts/list'
import { addSigningKey } from './accounts/signing-key'
import { addStats } from './accounts/stats'

// Standard output is the command's answer alone.
logToStandardError()
nextEnv.loadEnvConfig(process.cwd(), false, { info: () => undefined, error: console.error })
const program = createProgram()
/** In the order in which the help lists them. */
const commands = [
  addList,
  addShow,
  addStats,
  addRecoveryCodes,
  addSignOut,
  addDisable,
  addEnable,
  addRename,
  addEmail,
  addDelete,
  addGroup,
  addExport,
  addInvite,
  addImport,
  addBackup,
  addRestore,
  addCheck,
  addApp,
  addSigningKey,
  addDeliveries,
]
for (const add of commands) add(program)
await run(program)
