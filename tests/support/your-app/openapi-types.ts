import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { temporaryFolder } from '../machine/temporary-folder'

/**
 * TypeScript types of an OpenAPI document, by openapi-typescript. That needs the compiler's JavaScript API, which
 * TypeScript 7 does not have; ts-morph's package brings one that does not replace our `tsc`.
 */
export async function typesOf(document: string): Promise<string> {
  const outfile = join(temporaryFolder('openapi-types', resolve('build')), 'openapi-typescript.mjs')
  await build({
    stdin: { contents: "export { default, astToString } from 'openapi-typescript'", resolveDir: process.cwd() },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@redocly/openapi-core', '@ts-morph/common'],
    alias: { typescript: '@ts-morph/common/dist/typescript.js' },
    logLevel: 'error',
  })
  const { default: generate, astToString } = await import(pathToFileURL(outfile).href)
  return astToString(await generate(document))
}
