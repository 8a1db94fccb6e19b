import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { killOnExit } from '../../support/machine/processes'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { logLines } from '../../support/server/server-log'

/**
 * A server whose standard output is a FIFO, read by `cat`, which a signal stops and continues. On SIGUSR2 it logs `lines` numbered
 * lines of a kilobyte, then runs `after`; on further ones it logs 500, which fit into the backlog however late the reader is.
 */
async function withReader({ lines, after = '' }: { lines: number; after?: string }) {
  const fifo = join(temporaryFolder('log-reader'), 'fifo')
  execFileSync('mkfifo', [fifo])
  const reader = spawn('cat', [fifo])
  killOnExit(reader)
  const ended = once(reader, 'close')
  let text = ''
  reader.stdout.on('data', (chunk) => {
    text += chunk
  })
  const preload = `
    import { closeSync, openSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      closeSync(1)
      openSync(${JSON.stringify(fifo)}, 'w')
      let lines = ${lines}
      process.on('SIGUSR2', () => {
        const listener = process.listeners('unhandledRejection')[0]
        for (let n = 0; n < lines; n += 1) listener(Object.assign(new Error(String(n)), { stack: 'x'.repeat(900) }))
        lines = 500
        ${after}
      })
    }`
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
    stall: () => reader.kill('SIGSTOP'),
    goOn: () => reader.kill('SIGCONT'),
    ended: () => ended,
    /** The numbers of the lines that arrived, with `-n` for a report of n that were dropped. */
    numbers: () =>
      logLines(text.slice(0, text.lastIndexOf('\n') + 1)).flatMap(({ err, lines: dropped }) =>
        err ? [Number(err.message)] : dropped ? [-dropped] : [],
      ),
  }
}

test('while nothing reads the log the server answers, and then says in the place of the gap how many lines are missing', async ({
  start,
}) => {
  const reader = await withReader({ lines: 3_000 })
  const server = await start({ mode: 'api-only', env: reader.env })
  reader.stall()
  process.kill(server.pid(), 'SIGUSR2')
  for (let time = 0; time < 5; time += 1) expect((await new Client(server).get('/api/health')).status).toBe(200)
  reader.goOn()
  await expect.poll(() => reader.numbers().some((number) => number < 0)).toBe(true)
  const kept = reader.numbers()
  const report = kept.findIndex((number) => number < 0)
  expect(kept.slice(0, report)).toEqual([...Array(report).keys()])
  expect(report - (kept[report] ?? 0)).toBe(3_000)
  // What comes now is written again.
  process.kill(server.pid(), 'SIGUSR2')
  await expect.poll(() => reader.numbers().slice(report + 1)).toEqual([...Array(500).keys()])
})

for (const [end, after] of Object.entries({
  'an exception that nobody catches': "throw new Error('-1')",
  'a signal': "process.kill(process.pid, 'SIGTERM')",
}))
  test(`no line of the log is lost when ${end} ends the server while its reader is slow`, async ({ start }) => {
    const reader = await withReader({ lines: 900, after })
    const server = await start({ mode: 'api-only', env: reader.env })
    reader.stall()
    const exit = server.kill('SIGUSR2')
    setTimeout(reader.goOn, 100)
    await exit
    await reader.ended()
    expect(reader.numbers().filter((number) => number >= 0)).toEqual([...Array(900).keys()])
  })

test('a server whose log nobody reads any more still exits', async ({ start }) => {
  const reader = await withReader({ lines: 3_000, after: "process.kill(process.pid, 'SIGTERM')" })
  const server = await start({ mode: 'api-only', env: reader.env })
  reader.stall()
  expect(await server.kill('SIGUSR2')).toEqual({ code: 0, signal: null })
})
