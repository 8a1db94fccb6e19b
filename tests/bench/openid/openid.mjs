// What a sign-in to an app costs beside oidc-provider, which keeps everything in memory while Latchkey writes to a disk.
import { fillIn } from '../documents.mjs'
import { inTurns, mapValues, median } from '../interleave.mjs'
import { quick } from '../options.mjs'
import { processCpu, tellsCost } from '../process-cost.mjs'
import { Report } from '../report.mjs'
import { latchkey, oidcProvider, packages } from './contestants.mjs'
import { ask, authorizationRequest, formOf, tokenRequest } from './requests.mjs'

/** @typedef {import('./contestants.mjs').Contestant} Contestant */

/** oidc-provider's memory has a thousand places. */
const codesAtOnce = 200
const batchesOfRound = quick ? 1 : 5
const clients = 4

export async function bench() {
  const report = new Report('bench-openid')
  const sides = {
    ours: await latchkey(),
    theirs: await oidcProvider('oidc-provider'),
    // As Latchkey's are.
    signed: await oidcProvider('oidc-provider with signed access tokens', { SIGNED_ACCESS_TOKENS: '1' }),
  }
  report.progress('both have an app and people who let it in')
  const found = await inTurns(
    mapValues(sides, (side) => () => signInsOf(side)),
    5,
  )
  const steps = /** @type {const} */ ([
    ['authorization request to code, with a grant', 'authorize'],
    ['code to tokens', 'exchange'],
  ])
  for (const [what, step] of steps) {
    for (const other of /** @type {const} */ (['theirs', 'signed'])) {
      const figure = (/** @type {keyof Cost} */ kind) => {
        const [ours, theirs] = [found.ours, found[other]].map((all) => median(all.map((round) => round[step][kind])))
        return /** @type {[number, number]} */ ([ours, theirs])
      }
      const { name } = sides[other]
      const goal = /** @type {const} */ ({ of: ' ms', better: 'at most' })
      if (tellsCost) report.compare(`${what}, the server's CPU`, name, figure('cpu'), { ...goal, goal: 1 })
      report.compare(`${what}, time`, name, figure('wall'), goal)
    }
  }
  for (const { server } of Object.values(sides)) await server.stop()
  fillIn('docs/evidence/benchmarks.md', 'openid', report.table())
  report.finish({ packages })
}

/** Of one kind of requests: milliseconds of each. @typedef {{ cpu: number, wall: number }} Cost */

/** @param {Contestant} side */
async function signInsOf(side) {
  /** @type {{ authorize: Cost, exchange: Cost }[]} */
  const batches = []
  for (let batch = 0; batch < batchesOfRound; batch++) batches.push(await batchOf(side))
  const mean = (/** @type {'authorize' | 'exchange'} */ step, /** @type {keyof Cost} */ kind) =>
    batches.reduce((sum, one) => sum + one[step][kind], 0) / batches.length
  const costOfStep = (/** @type {'authorize' | 'exchange'} */ step) => ({
    cpu: mean(step, 'cpu'),
    wall: mean(step, 'wall'),
  })
  return { authorize: costOfStep('authorize'), exchange: costOfStep('exchange') }
}

/** @param {Contestant} side */
async function batchOf({ server, app, authorize, token, cookies }) {
  const path = `${authorize}?${authorizationRequest(app)}`
  /** @type {string[]} */
  const codes = []
  const authorized = await costOf(server, async (index) => {
    const answer = await ask(server, 'GET', path, { Cookie: cookies[index % cookies.length] ?? '' })
    const code = answer.location.startsWith(app.redirectUri) && new URL(answer.location).searchParams.get('code')
    if (!code) throw new Error(`no code: ${answer.status} ${answer.location}`)
    codes.push(code)
  })
  const exchanged = await costOf(server, async (index) => {
    const answer = await ask(server, 'POST', token, formOf(), tokenRequest(app, codes[index] ?? ''))
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.body}`)
  })
  return { authorize: authorized, exchange: exchanged }
}

/**
 * @param {import('../servers.mjs').Server} server
 * @param {(index: number) => Promise<void>} step
 * @returns {Promise<Cost>}
 */
async function costOf({ pid }, step) {
  const [began, used] = [performance.now(), tellsCost ? processCpu(pid) : Number.NaN]
  let next = 0
  const client = async () => {
    while (next < codesAtOnce) await step(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
  const cpu = tellsCost ? processCpu(pid) - used : Number.NaN
  return { cpu: cpu / codesAtOnce, wall: (performance.now() - began) / codesAtOnce }
}
