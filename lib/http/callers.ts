import type { Endpoint } from '@/lib/api/endpoints'
import { findSession, requireSession } from '@/lib/auth/sessions/sessions'
import { StepUp } from '@/lib/auth/sessions/step-up'
import type { IncomingCall } from './call'

const nobody = {}

/** Checks who calls, by `caller` of a row, and returns what its action then knows of them. */
export const callers = {
  anyone: () => nobody,
  session: async ({ context }: IncomingCall) => ({ session: await requireSession(context.session) }),
  'step-up': async ({ context }: IncomingCall) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.require(session, context) }
  },
  'step-up-if-session': async ({ context }: IncomingCall) => {
    const session = await findSession(context.session)
    return { session, stepUp: session && (await StepUp.require(session, context)) }
  },
} satisfies Record<Endpoint['caller'], (call: IncomingCall) => object>

export type Caller = keyof typeof callers

/** What an action knows of who calls. */
export type Identity<C extends Caller> = Awaited<ReturnType<(typeof callers)[C]>>
