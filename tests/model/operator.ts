import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { endProcess, killOnExit } from '../support/machine/processes'
import { environmentWith, settingsOf } from '../support/operator/command'
import { bundle } from '../support/operator/run-module'
import type { Server } from '../support/server/server'

/** What an operator asks for; `account` is an id. */
export type Order = {
  name: 'join' | 'leave' | 'delete group' | 'email'
  account: string
  group: string
  email: string
}

export interface Operator {
  /** @returns null, or the code of the error */
  carryOut(order: Order): Promise<string | null>
  stop(): Promise<void>
}

/** What `npm run accounts` calls, in one process of its own: a history has no time for a process per command. */
const program = `
import { createInterface } from 'node:readline'
import { openForCommand } from '@/lib/database/client'
import { setEmail } from '@/lib/auth/operator/change-account'
import { addToGroup, deleteGroup, removeFromGroup } from '@/lib/auth/operator/groups'
import { commandOperator } from '@/lib/auth/operator/operator'
import { logToStandardError } from '@/lib/process/log'

logToStandardError()
await openForCommand()
const operator = commandOperator()
const orders = {
  join: ({ group, account: id }) => addToGroup(operator, group, [{ id }]),
  leave: ({ group, account: id }) => removeFromGroup(operator, group, [{ id }]),
  // The model does not know which groups stand without members.
  'delete group': ({ group }) => deleteGroup(operator, group).catch((error) => error.code === 'not_found' || Promise.reject(error)),
  email: ({ account: id, email }) => setEmail(operator, { id }, email),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { number, ...order } = JSON.parse(line)
  const answer = (code) => process.stdout.write(JSON.stringify({ number, code }) + '\\n')
  orders[order.name](order).then(() => answer(null), (error) => answer(error.code ?? String(error)))
})`

export async function startOperator(server: Server): Promise<Operator> {
  const root = resolve(import.meta.dirname, '../..')
  const outfile = await bundle(program)
  const env = environmentWith(settingsOf(server))
  const child = spawn(process.execPath, [outfile], { cwd: root, env, stdio: ['pipe', 'pipe', 'ignore'] })
  killOnExit(child)
  const waiting = new Map<number, (code: string | null) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { number, code } = JSON.parse(line)
    waiting.get(number)?.(code)
    waiting.delete(number)
  })
  let number = 0
  return {
    carryOut(order) {
      number += 1
      child.stdin.write(`${JSON.stringify({ number, ...order })}\n`)
      return new Promise((done) => waiting.set(number, done))
    },
    async stop() {
      await endProcess(child, 'SIGTERM')
      rmSync(outfile, { force: true })
    },
  }
}
