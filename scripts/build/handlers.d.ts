/** Made by scripts/build/route-handlers.mjs: the handler of every endpoint in lib/api/endpoints.ts, and of its preflights. */
declare module 'latchkey:handlers' {
  type Path = import('@/lib/api/endpoints').Path
  type Handler = (request: Request) => Response | Promise<Response>
  export const handlers: Record<Path, Handler>
  export const preflights: Partial<Record<Path, Handler>>
}
