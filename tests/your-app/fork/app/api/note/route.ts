import { z } from 'zod'
import { parse } from '@/lib/auth/model/validation'
import { writeAsSession } from '@/lib/auth/sessions/write-as-session'
import { database } from '@/lib/database/client'
import { requestHandler } from '@/lib/http/request-handler'

const input = z.object({ text: z.string().max(1000) })

export const GET = requestHandler(
  'ignored',
  async ({ session: { user } }) => {
    const db = await database()
    const note = await db.note.findUnique({ where: { userId: user.id } })
    return Response.json({ text: note?.text ?? '' })
  },
  { caller: 'session' },
)

export const PUT = requestHandler(
  'required',
  async ({ body, session: { user, claims } }) => {
    const { text } = parse(input, body)
    await writeAsSession(claims, (db) => [
      db.note.upsert({ where: { userId: user.id }, create: { userId: user.id, text }, update: { text } }),
    ])
    return Response.json({ text })
  },
  { caller: 'session' },
)
