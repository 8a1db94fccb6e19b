const name = '@photostructure/sqlite'
const substitute = new URL('./recording-driver.mjs', import.meta.url).href

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  specifier === name && context.parentURL !== substitute
    ? { url: substitute, shortCircuit: true }
    : next(specifier, context)
