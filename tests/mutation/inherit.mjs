// Is loaded into Playwright's processes. Tests start servers and commands with an environment of their own; these get the
// variables of switch.mjs nevertheless.
import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const handedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^MUTANT(_COVERAGE)?$/.test(name)))

/** @type {{ spawn(options: { envPairs?: string[] }): unknown }} */
const prototype = Object(ChildProcess.prototype)
const { spawn } = prototype
prototype.spawn = function (options) {
  for (const [name, value] of Object.entries(handedOn)) {
    const pair = `${name}=${value}`
    if (!options.envPairs?.includes(pair)) options.envPairs?.push(pair)
  }
  return spawn.call(this, options)
}

const blocking = /** @type {Record<string, (...words: unknown[]) => unknown>} */ (Object(childProcess))
for (const name of ['spawnSync', 'execFileSync']) {
  const original = blocking[name]
  blocking[name] = (...words) => {
    for (const word of words)
      if (word !== null && typeof word === 'object' && 'env' in word) word.env = { ...Object(word.env), ...handedOn }
    return original?.(...words)
  }
}
syncBuiltinESMExports()
