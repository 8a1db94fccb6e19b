// `npm run pack:kit`: compiles packages/kit and packs build/latchkey-kit-<version>.tgz.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from './support/command-line.mjs'

readOptions('npm run pack:kit --', 'Compiles packages/kit and packs build/latchkey-kit-<version>.tgz.')

const folder = 'build/kit'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'packages/kit'], { stdio: 'inherit' })
for (const name of ['package.json', 'README.md']) copyFileSync(join('packages/kit', name), join(folder, name))
copyFileSync('LICENSE', join(folder, 'LICENSE'))
execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], { cwd: folder, stdio: 'inherit' })
