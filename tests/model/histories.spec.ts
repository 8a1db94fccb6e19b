import { test } from '../support/fixtures'
import { CALLBACK, registerApp } from '../support/openid/fixtures'
import type { Kind } from './history'
import { startOperator } from './operator'
import { limitsOf, runHistories } from './run-histories'

const { MODEL_HISTORIES, MODEL_SEED, MODEL_PATH, MODEL_REPLAY_PATH, MODEL_TIMES = '1' } = process.env

/** Of a run in CI on the embedded database; on PostgreSQL a fifth, which has what it orders differently. */
const counts: Record<Kind, number> = { passkeys: 40, throttles: 8, passwords: 6, restarts: 2 }
const perRun = Object.values(counts).reduce((sum, count) => sum + count)

function countOf(kind: Kind, storage: 'embedded' | 'networked') {
  if (MODEL_HISTORIES !== undefined) return Math.ceil((Number(MODEL_HISTORIES) / 2 / perRun) * counts[kind])
  return storage === 'embedded' ? counts[kind] : Math.ceil(counts[kind] / 5)
}

const lanes: Record<Kind, number> = { passkeys: 4, throttles: 2, passwords: 2, restarts: 1 }

for (const kind of ['passkeys', 'throttles', 'passwords', 'restarts'] as const) {
  test(`no history of ${kind} has an answer that the reference model cannot explain`, async ({ start, storage }) => {
    // A machine with other work to do takes its time.
    test.setTimeout(MODEL_HISTORIES === undefined ? 600_000 : 0)
    const limits = limitsOf(kind)
    const server = await start({
      mode: 'api-only',
      clock: 'movable',
      env: {
        ...(kind === 'restarts' && { CLOCK_IS_SHARED: '1' }),
        REDIS_URL: undefined,
        TRUSTED_PROXIES: '1',
        RATE_LIMIT_LOGIN_WINDOW: `${limits.windowMilliseconds / 1000}s`,
        RATE_LIMIT_ADDRESS_MAX: String(limits.address),
        RATE_LIMIT_LOGIN_MAX: String(limits.password),
      },
    })
    const operator = await startOperator(server)
    const seed = Number(MODEL_SEED ?? 1)
    try {
      const app = await registerApp(server, CALLBACK, '--trusted')
      if (MODEL_PATH !== undefined) {
        const replay = { count: 1, seed, path: MODEL_PATH, replayPath: MODEL_REPLAY_PATH }
        for (let time = 0; time < Number(MODEL_TIMES); time += 1)
          await runHistories(server, operator, app, kind, replay)
        return
      }
      const count = Math.ceil(countOf(kind, storage) / lanes[kind])
      const runs = Array.from({ length: lanes[kind] }, (_, lane) => ({ count, seed: seed + lane }))
      await Promise.all(runs.map((run) => runHistories(server, operator, app, kind, run)))
    } finally {
      await operator.stop()
    }
  })
}
