import '../../support/unit/environment'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'playwright/test'
import { putInPlace } from '@/lib/database/sqlite/backup'
import { openDatabase } from '@/lib/database/sqlite/driver'
import { killOnExit } from '../../support/machine/processes'
import { temporaryFolder } from '../../support/machine/temporary-folder'

/** Opens a database as a server does at its start, and writes to it once it reads standard input. */
const starting = `
import { DatabaseSync } from '@photostructure/sqlite'
const database = new DatabaseSync(process.env.DATABASE)
process.stdout.write('open')
process.stdin.once('data', () => {
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE "lost" ("id" TEXT); COMMIT')
    process.stdout.write(' written')
  } catch (error) {
    process.stdout.write(' ' + error.message)
  }
  process.exit()
})`

async function databaseWith(table: string, file: string) {
  const database = await openDatabase(file, 0)
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE "${table}" ("id" TEXT)`)
  database.close()
}

test('a process that opened the database before a restore fails instead of writing to the file that was replaced', async () => {
  const folder = temporaryFolder('replaced')
  const [file, copy] = [join(folder, 'a.db'), join(folder, 'b.db')]
  await databaseWith('old', file)
  await databaseWith('new', copy)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', starting], {
    env: { ...process.env, DATABASE: file },
  })
  killOnExit(child)
  await once(child.stdout, 'readable')
  const output = text(child.stdout)
  await putInPlace(`file:${copy}`, `file:${file}`)
  child.stdin.write('go')
  expect(await output).toBe('open file is not a database')
  const restored = await openDatabase(file, 0)
  expect(restored.prepare('SELECT "name" FROM sqlite_master').all()).toEqual([{ name: 'new' }])
  restored.close()
})
