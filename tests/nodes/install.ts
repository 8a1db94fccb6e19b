import { checkOut, majors } from './installation'

/** Installs what production needs, once, as a newcomer on the newest Node would; the others run on the same packages. */
export default function install() {
  const installation = checkOut(Math.max(...majors))
  installation.run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'])
  process.env.INSTALLATION = installation.folder
  return () => installation.remove()
}
