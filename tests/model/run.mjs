// npm run test:model: many histories, or one that failed. Arguments instead of variables, because Windows' shell sets none
// in front of a command.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '50000' },
    kind: { type: 'string', default: '' },
    on: { type: 'string', default: '' },
    seed: { type: 'string' },
    path: { type: 'string' },
    'replay-path': { type: 'string' },
    times: { type: 'string', default: '1' },
  },
})
const projects = { '': 'model*', sqlite: 'model', postgresql: 'model-networked' }
const project = Object.entries(projects).find(([storage]) => storage === values.on)?.[1]
if (project === undefined) throw new Error('--on is sqlite or postgresql.')

const env = {
  ...process.env,
  MODEL_HISTORIES: values.histories,
  // Other histories than in CI, each time.
  MODEL_SEED: values.seed ?? String(Date.now() % 1_000_000_000),
  MODEL_TIMES: values.times,
  ...(values.path !== undefined && { MODEL_PATH: values.path }),
  ...(values['replay-path'] !== undefined && { MODEL_REPLAY_PATH: values['replay-path'] }),
}
const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
const words = ['test', `--project=${project}`, '--grep', `history of ${values.kind}`]
const { status } = spawnSync(process.execPath, [playwright, ...words], { stdio: 'inherit', env })
process.exit(status ?? 1)
