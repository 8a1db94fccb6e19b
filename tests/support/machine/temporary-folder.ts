import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows removes no file that is still open.
    }
  }
})

/**
 * A new folder, which is removed when this process exits.
 *
 * @param parent `build` for code that imports packages: Node finds them below the project
 */
export function temporaryFolder(purpose: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `latchkey-${purpose}-`))
  folders.push(folder)
  return folder
}
