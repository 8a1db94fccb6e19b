import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { stderr, stdin } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

const latchkey = 'https://id.example.com'
const audience = 'https://app.example.com' // the app whose API this program calls
const file = join(homedir(), '.notes-session')

async function post(path, body, bearer) {
  const headers = { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) }
  const response = await fetch(latchkey + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = response.status === 204 ? {} : await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

/** Reads a line without showing it. */
async function askSecretly(question) {
  stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY })
  const line = await lines.question('')
  lines.close()
  stderr.write('\n')
  return line
}

const commands = {
  async 'sign-in'(username) {
    const { token } = await post('/api/signin', { username, password: await askSecretly('Password: ') })
    // A file that stands already would keep its mode, and others might read the session.
    rmSync(file, { force: true })
    writeFileSync(file, token, { mode: 0o600, flag: 'wx' })
  },
  async token() {
    console.log((await post('/api/token', { audience }, readFileSync(file, 'utf8'))).token)
  },
  async 'sign-out'() {
    await post('/api/signout', {}, readFileSync(file, 'utf8'))
    rmSync(file)
  },
}

const [name, ...words] = process.argv.slice(2)
await commands[name](...words).catch(({ message }) => {
  console.error(message)
  process.exitCode = 1
})
