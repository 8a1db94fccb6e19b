import { database } from '@/lib/database/client'
import { type ListedAccount, listedAccount, listedColumns } from './describe-accounts'

const pageSize = 500

interface Selection {
  createdSince?: Date | undefined
  limit?: number | undefined
}

/** Newest first. Reads pages by id, because no index is ordered by age. */
export async function listAccounts({ createdSince, limit = Number.POSITIVE_INFINITY }: Selection) {
  const db = await database()
  let accounts: ListedAccount[] = []
  for (let after = ''; ; ) {
    const where = { id: { gt: after }, ...(createdSince && { createdAt: { gte: createdSince } }) }
    const rows = await db.user.findMany({ where, orderBy: { id: 'asc' }, take: pageSize, select: listedColumns })
    accounts.push(...rows.map(listedAccount))
    if (accounts.length > 2 * limit) accounts = newest(accounts, limit)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return newest(accounts, limit)
    after = last.id
  }
}

const newest = (accounts: ListedAccount[], limit: number) =>
  accounts.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, limit)
