import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, test } from 'playwright/test'
import { findFirefox } from '../browser/firefox'
import { findPgbouncer } from '../storage/pgbouncer'
import { findPostgres } from '../storage/postgres-programs'
import { findRedis } from '../storage/redis'
import { findChromium } from './find-chromium.mjs'
import { findProgram, inCi } from './programs'
import { debianPython, findPython } from './python'

const onPath =
  (...names: string[]) =>
  () =>
    findProgram(...names) !== null

/** What tests use beside Node: whether this machine has it, and how to get it. */
const programs = {
  Chromium: [
    () => findChromium() !== undefined || existsSync(chromium.executablePath()),
    'npx playwright install chromium, or apt install chromium chromium-headless-shell',
  ],
  Firefox: [() => findFirefox() !== undefined, 'apt install firefox-esr'],
  PostgreSQL: [() => findPostgres() !== null, 'apt install postgresql'],
  PgBouncer: [() => findPgbouncer() !== null, 'apt install pgbouncer'],
  Redis: [() => findRedis() !== null, 'apt install redis-server'],
  nginx: [onPath('nginx'), 'apt install nginx-light'],
  caddy: [onPath('caddy'), 'apt install caddy'],
  openssl: [onPath('openssl'), 'apt install openssl'],
  systemd: [onPath('systemd-analyze'), 'apt install systemd'],
  'Docker Compose': [onPath('docker-compose'), 'apt install docker-compose'],
  // Postfix's parts change to a user of its own.
  Postfix: [
    () => findProgram('postfix') !== null && findProgram('saslpasswd2') !== null && process.getuid?.() === 0,
    'apt install postfix sasl2-bin, and root',
  ],
  jq: [onPath('jq'), 'apt install jq'],
  'script(1)': [onPath('script'), 'apt install bsdutils'],
  Python: [onPath('python3'), 'apt install python3'],
  PyJWT: [() => findPython() !== undefined, 'apt install python3-jwt python3-cryptography'],
  'Python with venv': [
    () => spawnSync('python3', ['-c', 'import ensurepip'], { stdio: 'ignore' }).status === 0,
    'apt install python3-venv',
  ],
  Authlib: [
    () => spawnSync(debianPython, ['-c', 'import authlib, requests'], { stdio: 'ignore' }).status === 0,
    'apt install python3-authlib python3-requests',
  ],
  'Apache with mod_auth_openidc': [
    () => existsSync('/usr/sbin/apache2') && existsSync('/usr/lib/apache2/modules/mod_auth_openidc.so'),
    'apt install apache2-bin libapache2-mod-auth-openidc',
  ],
} satisfies Record<string, [found: () => boolean, how: string]>

export type Program = keyof typeof programs

const known = new Map<Program, boolean>()

/** Whether this machine lacks a program. CI has every one: there a test fails that does not find it. */
export function lacks(program: Program): boolean {
  if (inCi) return false
  const found = known.get(program) ?? programs[program][0]()
  known.set(program, found)
  return !found
}

/**
 * Skips the test, group or spec that calls it where this machine lacks one of these programs; the end of the run says how to get
 * it.
 */
export function needs(...wanted: Program[]): void {
  const lacking = wanted.filter(lacks)
  test.skip(lacking.length > 0, lacking.map((program) => `${program} (${programs[program][1]})`).join(' and '))
}
