/** Made by scripts/route-handlers.mjs: the handler of every endpoint in lib/api/endpoints.ts. */
declare module 'latchkey:handlers' {
  export const handlers: Record<import('@/lib/api/endpoints').Path, (request: Request) => Response | Promise<Response>>
}
