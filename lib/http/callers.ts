import type { Endpoint } from '@/lib/api/endpoints'
import { findSession, requireSession } from '@/lib/auth/sessions/find-session'
import { StepUp } from '@/lib/auth/sessions/step-up'
import { authenticateApp } from '@/lib/openid/apps/authenticate-app'
import { requireAccess } from '@/lib/openid/tokens/userinfo'
import { readAppCredentials } from './app-credentials'
import type { IncomingCall } from './call'
import { requireCron } from './cron-secret'
import { readBearerToken } from './request/bearer-token'

const nobody = {}

export const callers = {
  anyone: () => nobody,
  session: async ({ context }: IncomingCall) => ({ session: await requireSession(context.session) }),
  'session-or-step-up': async ({ context }: IncomingCall) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.find(session, context) }
  },
  'step-up': async ({ context }: IncomingCall) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.require(session, context) }
  },
  'step-up-if-session': async ({ context }: IncomingCall) => {
    const session = await findSession(context.session)
    return { session, stepUp: session && (await StepUp.require(session, context)) }
  },
  app: async ({ authorization, body, context }: IncomingCall) => ({
    app: await authenticateApp(readAppCredentials(authorization, body), context),
  }),
  bearer: async ({ authorization, body }: IncomingCall) => ({
    access: await requireAccess(readBearerToken(authorization, body)),
  }),
  cron: requireCron,
} satisfies Record<Endpoint['caller'], (call: IncomingCall) => object>

export type Caller = keyof typeof callers

export type Identity<C extends Caller> = Awaited<ReturnType<(typeof callers)[C]>>
