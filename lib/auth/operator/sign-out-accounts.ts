import { sql } from '@/lib/database/fragments'
import { transaction } from '@/lib/database/transaction'
import type { UserRow } from '../model/accounts'
import { endedOfAccounts, enqueueSessionLogouts } from '../sessions/logouts'
import { revokeAllSessions } from '../sessions/revocation/sign-out-everywhere'
import { forAllAccounts } from './for-all-accounts'
import { logAsOperator, recordAsOperator } from './operator-context'
import { asOperator } from './write-as-operator'

export async function signOutAccount({ id }: UserRow): Promise<void> {
  await revokeAllSessions(asOperator(id), id, null)
  await recordAsOperator(id, 'signed_out_everywhere')
}

/** Can be repeated after an interruption. @returns the number of accounts */
export async function signOutAllAccounts(): Promise<number> {
  let count = 0
  try {
    await forAllAccounts(async (db, gt, lte) => {
      const accounts = { where: { id: { gt, lte } }, data: { sessionEpoch: { increment: 1 } } }
      const { signedOut } = await transaction(db, {
        signedOut: db.user.updateMany(accounts),
        ...enqueueSessionLogouts(db, endedOfAccounts(sql`r."userId" > ${gt} AND r."userId" <= ${lte}`)),
      })
      count += signedOut.count
    })
  } catch (error) {
    if (count > 0) logAsOperator('signed_out_everywhere', { count })
    throw error
  }
  logAsOperator('signed_out_everywhere', { count })
  return count
}
