import { expect } from 'playwright/test'
import { checkOut, majors } from './installation'

/** The farthest from this machine's own, which builds for all other tests. */
const builder = Number.parseInt(process.versions.node, 10) > 22 ? Math.min(...majors) : Math.max(...majors)

/** Installs and builds a fork once, as a newcomer on that Node would; the others run the same files. */
export default function install() {
  const installation = checkOut(builder)
  installation.run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'])
  expect(installation.run('npm', ['run', 'build'])).not.toContain('Warning')
  process.env.INSTALLATION = installation.folder
  return () => installation.remove()
}
