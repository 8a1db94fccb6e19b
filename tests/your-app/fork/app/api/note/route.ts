import { readNote, writeNote } from '@/lib/auth/accounts/note'
import { requestHandler } from '@/lib/http/route'

export const GET = requestHandler('ignored', async ({ session }) => Response.json(await readNote(session)), {
  caller: 'session',
})

export const PUT = requestHandler(
  'required',
  async ({ body, session }) => Response.json(await writeNote(session, body)),
  { caller: 'session' },
)
