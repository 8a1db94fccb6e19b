import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const children = new Set<ChildProcess>()
// A worker that exits early must leave no process behind.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Kills the child when this process exits. */
export function killOnExit(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Sends a signal that ends the child, and waits until it has; one that has ended already is left alone. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
