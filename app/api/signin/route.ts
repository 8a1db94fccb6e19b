import { signIn } from '@/lib/auth/sign-in'
import { route } from '@/lib/web/route'
import { sessionOpened } from '@/lib/web/session'

export const POST = route('required', async (call) => sessionOpened(call, 200, await signIn(call.body, call.client)))
