import { database } from '@/lib/database/client'
import type { Settings } from '@/lib/settings/schema'
import { counted } from '../../command-line/counted'
import { type Finding, ok, warn } from './finding'

/** Without passwords, whoever has nothing else needs a recovery code. */
export async function checkPasswords({ passwords, passwordMinLength }: Settings): Promise<Finding[]> {
  if (passwords) return [ok(`new ones have at least ${passwordMinLength} characters`)]
  const db = await database()
  const accounts = await db.user.count({ where: { passwordHash: { not: null }, passkeys: { none: {} } } })
  if (accounts === 0) return [ok('off')]
  return [
    warn(`off; locked out without a recovery code: ${counted(accounts, 'account')} with a password and no passkey`),
  ]
}
