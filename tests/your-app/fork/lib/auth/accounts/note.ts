import * as z from 'zod'
import { database } from '@/lib/database/client'
import { parse } from '../request'
import type { Session } from '../sessions/find'
import { asSession } from '../sessions/write'

const input = z.object({ text: z.string().max(1000) })

export async function readNote({ user }: Session) {
  const db = await database()
  const note = await db.note.findUnique({ where: { userId: user.id } })
  return { text: note?.text ?? '' }
}

export async function writeNote({ user, claims }: Session, body: unknown) {
  const { text } = parse(input, body)
  await asSession(claims)((db) => ({
    note: db.note.upsert({ where: { userId: user.id }, create: { userId: user.id, text }, update: { text } }),
  }))
  return { text }
}
