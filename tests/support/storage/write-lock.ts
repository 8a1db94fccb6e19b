import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite')

const holding = `
const { DatabaseSync } = require(process.argv[1])
const database = new DatabaseSync(process.argv[2], { timeout: 5000 })
database.exec('BEGIN IMMEDIATE')
process.stdout.write('held')
process.stdin.on('end', () => { database.exec('ROLLBACK'); database.close() }).resume()`

/** Another process takes the write lock of an embedded database, as a backup tool or a long import does. */
export async function holdWriteLock(file: string): Promise<{ release: () => Promise<void> }> {
  const holder = spawn(process.execPath, ['-e', holding, driver, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return {
    async release() {
      holder.stdin.end()
      await once(holder, 'exit')
    },
  }
}
