import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'playwright/test'
import { killOnExit } from '../machine/processes'
import type { Server } from '../server/server'
import { withoutUndefined } from '../without-undefined'
import { type Finished, runInKeptProcess } from './kept-process'

export type { Finished }

/** What the command finds in its environment beside a running server: the same storage and the same secret. */
export const settingsOf = ({ stores, secret }: Server) => ({ ...stores, JWT_SECRET: secret })

/**
 * Runs `node build/accounts.mjs` as an operator would, without a terminal.
 *
 * @param env settings; see `settingsOf`
 * @param input standard input
 */
export async function runAccounts(
  env: Record<string, string | undefined>,
  words: string[],
  input = '',
): Promise<Finished> {
  const given = { PATH: process.env.PATH, NODE_ENV: 'production', ...env }
  const settings = withoutUndefined(given)
  const child = spawn(process.execPath, ['build/accounts.mjs', ...words], { env: settings as NodeJS.ProcessEnv })
  killOnExit(child)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

/** Runs a command beside a server. */
export const accounts = (server: Server, ...words: string[]): Promise<Finished> =>
  runAccounts(settingsOf(server), words)

/**
 * Runs a command on a terminal, which `script` of util-linux gives it.
 *
 * @param answer what is typed at its question
 */
export async function accountsOnTerminal(server: Server, words: string, answer: string) {
  const command = `${process.execPath} build/accounts.mjs ${words}`
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...settingsOf(server) } as NodeJS.ProcessEnv
  const child = spawn('script', ['-qec', command, '/dev/null'], { env })
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

/**
 * Runs a command with `--json`, which must succeed, in a process that this worker keeps for all of them. Commands that race, end
 * early or read standard input are `accounts()` instead.
 *
 * @returns the one value that it prints
 */
// biome-ignore lint/suspicious/noExplicitAny: the shape is the command's own.
export async function accountsJson(server: Server, ...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await runInKeptProcess(settingsOf(server), [...words, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** The lines of the security log in what a server or a command wrote. */
export const logLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line))
