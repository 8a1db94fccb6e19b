import type { Server } from '../server/server'
import { withoutUndefined } from '../without-undefined'

/** What a command finds in its environment beside a running server: the same storage and the same secret. */
export const settingsOf = ({ stores, secret }: Server) => ({ ...stores, JWT_SECRET: secret })

/** An environment with these settings, and nothing else of this process's. */
export const environmentWith = (settings: Record<string, string | undefined>) =>
  withoutUndefined({ PATH: process.env.PATH, NODE_ENV: 'production', ...settings }) as NodeJS.ProcessEnv

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}
