/** Made by scripts/build/route-handlers.mjs: what the route files of the paths in lib/api/endpoints.ts export. */
declare module 'latchkey:handlers' {
  type Path = import('@/lib/api/endpoints').Path
  export const handlers: Record<Path, import('@/lib/http/every-method').RouteHandlers>
}
