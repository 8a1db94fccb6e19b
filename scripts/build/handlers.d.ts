/** Made by scripts/build/route-handlers.mjs: what the route files of the paths in lib/api/endpoints.ts export. */
declare module 'latchkey:handlers' {
  type Path = import('@/lib/api/endpoints').Path
  type Handlers = ReturnType<typeof import('@/lib/http/every-method').everyMethod>
  export const handlers: Record<Path, Handlers>
}
