import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nodeBinary, npmCli } from '../nodes/installation'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { copySources } from '../support/project/checkout.mjs'
import { IMAGE } from './docker'

/** The official images that the Dockerfile and the Compose file name, and which stage of stand-ins/Dockerfile stands in. */
const official = {
  'node:24.21-bookworm': 'node',
  'node:24.21-bookworm-slim': 'node-slim',
  'caddy:2': 'caddy',
  'postgres:17': 'postgres',
  'redis:7': 'redis',
}

/**
 * Builds the image as docs/deploy.md does, from what a clone would have, changes that are not committed included. Where an engine
 * of our own cannot pull the official images, Debian's packages stand in under their names.
 */
export default async function build() {
  const sources = temporaryFolder('image')
  process.env.SOURCES = sources
  copySources(sources)
  const standIns = process.env.OWN_ENGINE && !hasOfficial() ? makeSystem() : null
  const nodes = standIns ? ['node', 'node-slim'] : []
  for (const stage of nodes) await buildStage(standIns ?? '', stage)
  const services = standIns ? ['caddy', 'postgres', 'redis'] : []
  await Promise.all([
    runDocker(['build', '--tag', IMAGE, sources]),
    (async () => {
      for (const stage of services) await buildStage(standIns ?? '', stage)
    })(),
  ])
}

/** Whether the engine has the official images, or gets them. */
function hasOfficial(): boolean {
  try {
    for (const name of Object.keys(official))
      execFileSync('sh', ['-c', 'docker image inspect "$0" || docker pull --quiet "$0"', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Imports a Debian. @returns the build context of the stand-ins */
function makeSystem(): string {
  const context = temporaryFolder('stand-ins')
  cpSync(resolve(import.meta.dirname, 'stand-ins'), context, { recursive: true })
  const system = join(context, 'system')
  const log = openSync(join(context, 'debootstrap.log'), 'w')
  try {
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', system], { stdio: ['ignore', log, log] })
  } catch (error) {
    throw new Error(readFileSync(join(context, 'debootstrap.log'), 'utf8'), { cause: error })
  }
  // How this machine reaches Debian's packages and the registry of npm's.
  const apt = execFileSync('apt-config', ['dump', '--format', '%f "%v";%n', 'Acquire'])
  writeFileSync(join(system, 'etc/apt/apt.conf.d/machine'), apt)
  mkdirSync(join(system, 'etc/ssl/certs'), { recursive: true })
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(system, 'etc/ssl/certs/ca-certificates.crt'), { dereference: true })
  writeFileSync(join(context, 'npmrc'), '')
  for (const level of ['globalconfig', 'userconfig']) {
    const file = execFileSync(process.execPath, [npmCli, 'config', 'get', level], { encoding: 'utf8' }).trim()
    if (existsSync(file)) appendFileSync(join(context, 'npmrc'), readFileSync(file))
  }
  execFileSync('sh', ['-c', 'tar --create --directory "$0" . | docker import - debian', system])
  execFileSync('rm', ['-rf', '--one-file-system', system])
  cpSync(nodeBinary(24), join(context, 'node'))
  cpSync(resolve(npmCli, '../..'), join(context, 'npm'), { recursive: true })
  return context
}

function buildStage(context: string, stage: string) {
  const [tag = ''] = Object.entries(official).find(([, name]) => name === stage) ?? []
  return runDocker(['build', '--target', stage, '--tag', tag, context])
}

/** Runs the command beside others. @throws with its output when it fails */
function runDocker(words: string[]) {
  const child = spawn('docker', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise<void>((done, fail) =>
    child.once('close', (status) =>
      status === 0 ? done() : fail(new Error(`docker ${words.join(' ')} ended with ${status}:\n${output}`)),
    ),
  )
}
