import { execFileSync } from 'node:child_process'

/** Not the name of docs/deploy.md, which may be somebody's on an engine that runs already. */
export const IMAGE = 'latchkey-under-test'

/** Runs the command. @returns its output @throws with its errors when it fails */
export const docker = (...words: string[]): string =>
  execFileSync('docker', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

export const health = (container: string) => docker('inspect', '--format', '{{.State.Health.Status}}', container)

/** The lines of a container's log that are errors, or not in the form of Latchkey's log. */
export const errorsInLog = (container: string) =>
  execFileSync('sh', ['-c', 'docker logs "$0" 2>&1', container], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '' && !/^(\{"level":[1-4]0,|Latchkey is ready: )/.test(line))
