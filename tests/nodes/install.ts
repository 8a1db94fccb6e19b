import { expect } from 'playwright/test'
import { checkOut, majors } from './installation'

/** Installs what production needs and builds, once, as a newcomer on the newest Node would; the others run the same files. */
export default function install() {
  const installation = checkOut(Math.max(...majors))
  installation.run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'])
  expect(installation.run('npm', ['run', 'build'])).not.toContain('Warning')
  process.env.INSTALLATION = installation.folder
  return () => installation.remove()
}
