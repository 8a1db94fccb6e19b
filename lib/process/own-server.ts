import { singleton } from './singleton'

const state = () => singleton('own-server', () => ({ runs: false }))

/** Called by server.ts before it loads Next, whose instrumentation and routes run in the same process. */
export function declareOwnServer(): void {
  state().runs = true
}

/** Whether server.ts serves requests, rather than Next by itself or a platform such as Vercel. */
export const ownServerRuns = () => state().runs
