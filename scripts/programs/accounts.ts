// `npm run accounts -- <command>`: what operators do with accounts. docs/accounts.md explains the commands.
import { resolve } from 'node:path'
import { declareOwnFolder } from '@/lib/process/files'
import '../support/command-line.mjs'
import { logToStandardError } from '@/lib/process/log'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import {
  addDelete,
  addDisable,
  addEmail,
  addEnable,
  addList,
  addName,
  addRecoveryCode,
  addRemovePasskey,
  addRename,
  addShow,
  addSignOut,
  addStats,
} from './accounts/account'
import { addApis } from './accounts/apis'
import { addApp } from './accounts/apps'
import { createProgram, run } from './accounts/command'
import { addApply, addBackup, addCheck, addDump, addExport, addImport, addRestore } from './accounts/data'
import { addGroup } from './accounts/groups'
import { addInvite } from './accounts/invitations'
import { addDeliveries, addKeys, addLog, addSigningKey } from './accounts/operators'

declareOwnFolder(resolve(import.meta.dirname, '..'))
// Standard output is the command's answer alone.
logToStandardError()
loadEnvFiles(process.cwd())
const program = createProgram()
/** In the order in which the help lists them. */
const commands = [
  addList,
  addShow,
  addStats,
  addRecoveryCode,
  addRemovePasskey,
  addSignOut,
  addDisable,
  addEnable,
  addRename,
  addName,
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
  addApis,
  addApply,
  addDump,
  addSigningKey,
  addDeliveries,
  addKeys,
  addLog,
]
for (const add of commands) add(program)
await run(program)
