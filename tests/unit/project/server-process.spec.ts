import { expect, test } from 'playwright/test'
import { freePort } from '../../support/machine/ports'
import { ServerProcess } from '../../support/server/server-process'

const answering = "require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT)"

const startProgram = async (program: string) => {
  const port = await freePort()
  const command = { args: ['--eval', program], cwd: '.', env: { PORT: String(port) } }
  const server = new ServerProcess(`http://127.0.0.1:${port}`, command)
  await server.start()
  return server
}

test('a server that does not stop in time is killed, and fails the test with what it wrote', async () => {
  const stubborn = await startProgram(`process.on('SIGTERM', () => console.log('not yet')); ${answering}`)
  await expect(stubborn.stop(500)).rejects.toThrow(/did not stop within 500 ms, and was killed: not yet/)
})

test('a server that stops in time, or has stopped, fails nothing', async () => {
  const server = await startProgram(answering)
  await server.stop()
  await server.stop()
})
