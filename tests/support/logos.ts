import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './machine/temporary-folder'

/** Pictures of one kind each, as small as they can be. */
export const LOGO_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"><rect width="64" height="32" fill="#7a1fa2"/></svg>'

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

/** One pixel. */
export const LOGO_PNG = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
)
export const LOGO_WEBP = bytes('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')

/** A file with these bytes, in a folder of its own. @returns its path */
export function logoFile(content: string | Uint8Array, name = 'logo'): string {
  const path = join(temporaryFolder('logo'), name)
  writeFileSync(path, content)
  return path
}
