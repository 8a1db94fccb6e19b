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

/** The answer of POST /api/i. */
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

/** The signed-in account as it is now, with the complete list of its passkeys. @throws ApiClientError not_signed_in */
export const fetchAccount = () => post<Account>('/api/i')
