/*
 * What goes over the wire: the bodies that are parsed and the shapes of results, each above the rows of its endpoints, or in
 * schemas/ if others share it: those of operators with the commands, in schemas/operator.ts. Both name their schemas in the
 * OpenAPI document. Rules that depend on settings are checked in lib/auth.
 */

// biome-ignore-all lint/performance/noBarrelFile: the OpenAPI document lists what is exported here.

export * from './endpoints/account'
export * from './endpoints/apps'
export * from './endpoints/openid'
export * from './endpoints/sign-in'
export * from './endpoints/well-known'
export * from './schemas/account'
export * from './schemas/events'
export * from './schemas/fields'
export { appliedFile, applyInput, dumpedFile, dumpInput } from './schemas/latchkey-file'
export * from './schemas/operator'
