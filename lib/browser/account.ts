import { ApiClientError } from './errors'
import { post } from './post'

export interface Passkey {
  id: string
  name: string
  provider: string | null
  createdAt: string
  lastUsedAt: string | null
  backedUp: boolean
  deviceType: 'singleDevice' | 'multiDevice'
  transports: string[]
}

export interface Account {
  id: string
  username: string
  createdAt: string
  hasPassword: boolean
  passkeys: Passkey[]
  session: { expiresAt: string; methods: string[] }
  recoveryCodesLeft: number
  rpId: string
  userHandle: string
}

/** The signed-in account, with all its passkeys. @throws ApiClientError `not_signed_in` */
export const fetchAccount = () => post<Account>('/api/i')

/** Checks that the browser kept the session cookie; otherwise the next page would send the person back to sign in without a word. */
export async function requireSessionCookie(): Promise<void> {
  try {
    await fetchAccount()
  } catch (error) {
    if (error instanceof ApiClientError && error.code === 'not_signed_in')
      throw new ApiClientError('session_lost', error.details)
  }
}
