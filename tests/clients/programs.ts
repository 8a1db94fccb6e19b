import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/machine/temporary-folder'
import type { App } from './apps'

const modules = '/usr/lib/apache2/modules'
const apache = '/usr/sbin/apache2'

/** What the page behind Apache is told about its visitor. */
const pageOf = (
  origin: string,
) => `<p>Signed in as <b><!--#echo var="REMOTE_USER" --></b>, <i><!--#echo var="OIDC_CLAIM_sub" --></i></p>
<code><!--#echo var="OIDC_access_token" --></code>
<a href="/private/callback?refresh=/private/&amp;access_token=<!--#echo encoding="url" var="OIDC_access_token" -->">Refresh</a>
<a href="/private/callback?logout=${encodeURIComponent(`${origin}/`)}">Sign out</a>`

/** Starts Apache with the configuration beside this file, in a folder of its own. */
export async function runApache(app: App): Promise<void> {
  const folder = temporaryFolder('apache')
  // Apache drops root's rights, and then must read it.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'pages/private'), { recursive: true })
  writeFileSync(join(folder, 'pages/index.html'), '<p>Nobody is signed in.</p><a href="/private/">Sign in</a>')
  writeFileSync(join(folder, 'pages/private/index.html'), pageOf(app.origin))
  copyFileSync(join(import.meta.dirname, 'apache.conf'), join(folder, 'apache.conf'))
  const words = ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')]
  await app.run(apache, words, { FOLDER: folder, MODULES: modules })
}
