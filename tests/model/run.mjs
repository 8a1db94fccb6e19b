// npm run test:model: many histories, or one that failed. Arguments instead of variables, because Windows' shell sets none
// in front of a command.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readOptions } from '../../scripts/support/command-line.mjs'

const values = readOptions(
  'npm run test:model --',
  'Compares histories of requests with the reference model; docs/testing.md explains them.',
  {
    '--histories <number>': 'how many, of all kinds on both databases; 50000 by default',
    '--kind <kind>': 'passkeys, throttles, passwords or restarts; all by default',
    '--on <database>': 'sqlite or postgresql; both by default',
    '--seed <number>': 'the same histories again',
    '--path <path>': 'one history again, with --seed and --replay-path, as its report says',
    '--replay-path <path>': 'see --path',
    '--times <number>': 'that history so many times, for what depends on timing',
  },
)
const projects = { both: 'model*', sqlite: 'model', postgresql: 'model-networked' }
const project = Object.entries(projects).find(([storage]) => storage === (values.on ?? 'both'))?.[1]
if (project === undefined) {
  console.error('--on is sqlite or postgresql.')
  process.exit(2)
}

const env = {
  ...process.env,
  MODEL_HISTORIES: String(values.histories ?? 50_000),
  // Other histories than in CI, each time.
  MODEL_SEED: String(values.seed ?? Date.now() % 1_000_000_000),
  MODEL_TIMES: String(values.times ?? 1),
  ...(values.path !== undefined && { MODEL_PATH: String(values.path) }),
  ...(values.replayPath !== undefined && { MODEL_REPLAY_PATH: String(values.replayPath) }),
}
const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
const words = ['test', `--project=${project}`, '--grep', `history of ${values.kind ?? ''}`]
const { status } = spawnSync(process.execPath, [playwright, ...words], { stdio: 'inherit', env })
process.exit(status ?? 1)
