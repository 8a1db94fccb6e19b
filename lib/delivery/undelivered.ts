import { database } from '@/lib/database/client'
import { transaction } from '@/lib/database/transaction'
import { registeredTypes } from './senders'

/** A message that waits for its next attempt, or has failed for good. */
export interface UndeliveredMessage {
  id: string
  type: string
  receiver: string
  account: string | null
  attempts: number
  /** ISO 8601; while an attempt is under way, when it counts as lost. Null: there is no next attempt */
  nextAt: string | null
  error: string | null
}

const columns = {
  id: true,
  type: true,
  receiver: true,
  account: true,
  attempts: true,
  dueAt: true,
  error: true,
} as const

type Row = Omit<UndeliveredMessage, 'nextAt'> & { dueAt: bigint | null }

const describe = ({ id, type, receiver, account, attempts, dueAt, error }: Row): UndeliveredMessage => ({
  id,
  type,
  receiver,
  account,
  attempts,
  nextAt: timeOf(dueAt),
  error,
})

const timeOf = (milliseconds: bigint | null) =>
  milliseconds === null ? null : new Date(Number(milliseconds)).toISOString()

/** Oldest first. */
export async function listDeliveries(): Promise<UndeliveredMessage[]> {
  const db = await database()
  const rows = await db.delivery.findMany({ select: columns, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map(describe)
}

/** Makes a message due now, with all its attempts, and its receiver get messages again. Null if there is none. */
export async function retryDelivery(id: string): Promise<UndeliveredMessage | null> {
  const db = await database()
  const data = { dueAt: BigInt(Date.now()), attempts: 0, error: null }
  const { row } = await transaction(db, {
    row: db.delivery.findUnique({ where: { id }, select: columns }),
    due: db.delivery.updateMany({ where: { id }, data }),
    receiver: db.$executeRaw`
      UPDATE "Delivery" SET "gone" = ${false}
      WHERE "gone" AND "receiver" = (SELECT d."receiver" FROM "Delivery" d WHERE d."id" = ${id})`,
  })
  return row && describe({ ...row, ...data })
}

/** How many messages wait for an attempt of this process or another, and the milliseconds since the oldest of them was written. */
export async function measureWaiting(): Promise<{ count: number; age: number }> {
  const db = await database()
  const { _count, _min } = await db.delivery.aggregate({
    where: { dueAt: { not: null }, type: { in: registeredTypes() } },
    _count: true,
    _min: { createdAt: true },
  })
  return { count: _count, age: _min.createdAt === null ? 0 : Date.now() - Number(_min.createdAt) }
}
