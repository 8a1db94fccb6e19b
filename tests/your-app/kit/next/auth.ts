import { latchkey } from 'latchkey-kit/next'

export const { auth, requireUser, withUser, handlers, proxy } = latchkey()
