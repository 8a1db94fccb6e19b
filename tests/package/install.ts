import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { npmCli } from '../nodes/installation'
import { temporaryFolder } from '../support/machine/temporary-folder'

/** Packs the product as a release does, and installs it in an app's folder, with spaces in its path and without a network. */
export default function install() {
  execFileSync(process.execPath, ['scripts/pack.mjs'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const tarball = resolve(`build/latchkey-${version}.tgz`)
  const app = join(temporaryFolder('package'), 'an app of mine')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{"private": true}')
  const words = [npmCli, 'install', '--offline', '--ignore-scripts=false', '--cache', join(app, '../cache'), tarball]
  const env = { PATH: `${process.env.PATH}` } as unknown as NodeJS.ProcessEnv
  execFileSync(process.execPath, words, { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] })
  Object.assign(process.env, { LATCHKEY_TARBALL: tarball, LATCHKEY_APP: app })
}
