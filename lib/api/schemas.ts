/*
 * What goes over the wire: the bodies that are parsed and the shapes of results. Both name their schemas in the OpenAPI
 * document. Rules that depend on settings are checked in lib/auth.
 */

// biome-ignore-all lint/performance/noBarrelFile: the OpenAPI document lists what is exported here.

export * from './schemas/account'
export * from './schemas/events'
export * from './schemas/fields'
export { appliedFile, applyInput, dumpedFile, dumpInput } from './schemas/latchkey-file'
export * from './schemas/openid'
export * from './schemas/operator'
export * from './schemas/sign-in'
export * from './schemas/well-known'
