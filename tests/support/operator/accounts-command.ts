import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'playwright/test'
import { killOnExit } from '../machine/processes'
import type { Server } from '../server/server'
import { environmentWith, type Finished, settingsOf } from './command'
import { runInKeptProcess } from './kept-process'

/** Runs a command beside a server, without a terminal. */
export const accounts = (server: Server, ...words: string[]): Promise<Finished> =>
  accountsWith(settingsOf(server), words)

/**
 * Runs a command with `--json` beside a server, which must succeed.
 *
 * @returns the one value that it prints
 */
// biome-ignore lint/suspicious/noExplicitAny: the shape is the command's own.
export async function accountsJson(server: Server, ...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await accounts(server, ...words, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** Runs a command with settings of the test's own, or with standard input. */
export const accountsWith = (
  settings: Record<string, string | undefined>,
  words: string[],
  input = '',
): Promise<Finished> => runInKeptProcess({ program: 'accounts', settings, words, input })

/** Runs a command in a process of its own, beside a server and beside other commands. */
export async function accountsProcess(server: Server, ...words: string[]): Promise<Finished> {
  const child = startAccounts(settingsOf(server), words)
  child.stdin.end()
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

/** Starts a command whose process the test feeds, watches or kills. */
export function startAccounts(settings: Record<string, string | undefined>, words: string[], ...nodeOptions: string[]) {
  const env = environmentWith(settings)
  const child = spawn(process.execPath, [...nodeOptions, 'build/accounts.mjs', ...words], { env })
  killOnExit(child)
  return child
}

/**
 * Runs a command beside a server on a terminal, which `script` of util-linux gives it.
 *
 * @param answer what is typed at its question
 */
export async function accountsOnTerminal(server: Server, words: string, answer = '') {
  const command = `${process.execPath} build/accounts.mjs ${words}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: environmentWith(settingsOf(server)) })
  killOnExit(child)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const asked = stdout.includes('Type yes:')
    stdout += chunk
    // Not before: the terminal changes its mode for the question, and what was typed ahead can get lost.
    if (!asked && stdout.includes('Type yes:')) child.stdin.write(answer)
  })
  const [code] = await once(child, 'close')
  return { code, stdout }
}
