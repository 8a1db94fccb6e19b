// `npm run accounts -- <command>`: what operators do with accounts. docs/accounts.md explains the commands.
import '../command-line/broken-pipe.mjs'
import { logToStandardError } from '@/lib/process/log'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { addDelete } from './accounts/account/delete'
import { addDisable, addEnable } from './accounts/account/disable'
import { addEmail } from './accounts/account/email'
import { addInvite } from './accounts/account/invite'
import { addList } from './accounts/account/list'
import { addRecoveryCodes } from './accounts/account/recovery-codes'
import { addRename } from './accounts/account/rename'
import { addShow } from './accounts/account/show'
import { addSignOut } from './accounts/account/sign-out'
import { addStats } from './accounts/account/stats'
import { addApp } from './accounts/apps/app'
import { addDeliveries } from './accounts/apps/deliveries'
import { addSigningKey } from './accounts/apps/signing-key'
import { createProgram, run } from './accounts/command/program'
import { addBackup } from './accounts/data/backup'
import { addCheck } from './accounts/data/check'
import { addExport } from './accounts/data/export'
import { addImport } from './accounts/data/import'
import { addRestore } from './accounts/data/restore'
import { addGroup } from './accounts/groups/group'

// Standard output is the command's answer alone.
logToStandardError()
loadEnvFiles(process.cwd())
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
