import { importTypeScript } from './import-typescript.mjs'

/**
 * Loads the table of endpoints, and the names of its schemas.
 *
 * @returns {Promise<typeof import('../../lib/api/openapi')>}
 */
export const loadContract = () => importTypeScript('lib/api/openapi.ts')
