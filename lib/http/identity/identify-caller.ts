import type { Endpoint } from '@/lib/api/endpoints'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { findSession, requireSession } from '@/lib/auth/sessions/find-session'
import { StepUp } from '@/lib/auth/sessions/step-up'
import { authenticateApp } from '@/lib/openid/apps/authenticate-app'
import { requireAccessToken } from '@/lib/openid/tokens/userinfo'
import { readAccessToken } from './access-token'
import { readAppCredentials } from './app-credentials'
import { requireCron } from './cron-secret'

interface Credentials {
  readonly authorization: string | null
  readonly body: unknown
  readonly context: RequestContext
}

const nobody = {}

export const callers = {
  anyone: () => nobody,
  session: async ({ context }: Credentials) => ({ session: await requireSession(context.session) }),
  'session-and-maybe-step-up': async ({ context }: Credentials) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.find(session, context) }
  },
  'step-up': async ({ context }: Credentials) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.require(session, context) }
  },
  'step-up-if-session': async ({ context }: Credentials) => {
    const session = await findSession(context.session)
    return { session, stepUp: session && (await StepUp.require(session, context)) }
  },
  app: async ({ authorization, body, context }: Credentials) => ({
    app: await authenticateApp(readAppCredentials(authorization, body), context),
  }),
  bearer: async ({ authorization, body }: Credentials) => ({
    access: await requireAccessToken(readAccessToken(authorization, body)),
  }),
  cron: ({ authorization, context }: Credentials) => requireCron(authorization, context),
} satisfies Record<Endpoint['caller'], (shown: Credentials) => object>

export type Caller = keyof typeof callers

/** What a call has once its caller is identified. */
export type Identified<C extends Caller> = Awaited<ReturnType<(typeof callers)[C]>>
