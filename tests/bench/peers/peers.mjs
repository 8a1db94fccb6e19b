import { fillIn } from '../documents.mjs'
import { tellsCost } from '../process-cost.mjs'
import { keeps, Report } from '../report.mjs'
import { betterAuth } from './better-auth.mjs'
import { buildBetterAuth, packages } from './better-auth-app.mjs'
import {
  compareIdle,
  compareMemory,
  comparePages,
  comparePasskeys,
  comparePasswords,
  compareRates,
  compareStart,
} from './comparisons.mjs'
import { latchkey } from './latchkey.mjs'

const accounts = 10_000

/** Measures Latchkey and better-auth in turn, and publishes what is worse as plainly as what is better. */
export async function bench() {
  const report = new Report('bench-peers')
  buildBetterAuth()
  report.progress('better-auth is installed')
  const contestants = {
    ours: await latchkey(accounts),
    theirs: await betterAuth('better-auth', accounts),
    bcrypt: await betterAuth('better-auth with native bcrypt', accounts, { BCRYPT_COST: '10' }),
  }
  const { ours, theirs } = contestants
  await compareStart(report, { ours, theirs })
  const sides = {
    ours: { ...ours, server: await ours.start() },
    theirs: { ...theirs, server: await theirs.start() },
  }
  if (tellsCost) compareIdle(report, sides)
  await compareRates(report, sides)
  await comparePasskeys(report, sides)
  report.progress('passkeys')
  if (tellsCost) await compareMemory(report, sides)
  await comparePages(report, sides)
  report.progress('pages')
  const all = { ...sides, bcrypt: { ...contestants.bcrypt, server: await contestants.bcrypt.start() } }
  await comparePasswords(report, all)
  for (const { server } of Object.values(all)) await server.stop()
  fillIn('docs/evidence/benchmarks.md', 'peers', `${losses(report)}\n\n${report.table()}`)
  report.finish({ packages })
}

/** The rows in which Latchkey is behind, in a sentence. @param {Report} report */
function losses({ rows }) {
  const lost = rows.filter((row) => !keeps(row, 1)).map(({ what, against }) => `${what} (against ${against})`)
  return `Latchkey is behind in ${lost.length} of ${rows.length} rows${lost.length > 0 ? `: ${lost.join('; ')}` : ''}.`
}
