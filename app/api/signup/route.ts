import { signUp } from '@/lib/auth/sign-up'
import { route } from '@/lib/web/route'
import { sessionOpened } from '@/lib/web/session'

export const POST = route('required', async (call) => sessionOpened(call, 201, await signUp(call.body, call.client)))
