import { isBuilt, productStamp, serverStamp, sourceDigest } from './source-digest.mjs'

/** Builds what is missing or was built from another source. */
export async function ensureBuild() {
  const digest = sourceDigest()
  if (isBuilt(productStamp, digest)) return ensureServer(digest)
  // On demand: a product that is built starts without the packages that build it.
  const { buildProduct } = await import('./build-product.mjs')
  await buildProduct()
}

/**
 * Builds what Node runs unless it was built from this source. It deletes chunks that a server started from this folder may
 * still load, so it writes nothing when the build is current.
 */
export async function ensureServer(digest = sourceDigest()) {
  if (isBuilt(serverStamp, digest)) return
  const { generateClients } = await import('./generate.mjs')
  const { buildServer } = await import('./build-product.mjs')
  await generateClients()
  await buildServer()
}
