import { isApiError } from '@/lib/api/errors'
import { requireSignUp, requireValidInvitation } from '@/lib/auth/account/invitations'
import { readToken } from '@/lib/auth/tokens/tokens'
import { settings } from '@/lib/settings/settings'
import { readRequestContext } from '../context/request-context'
import { orUnavailable } from './unavailable'

/** A front end cannot see whether an invitation is used; submitting the form then gets `sign_up_closed`. */
export async function maySignUp(headers: Headers, invitation: string | undefined): Promise<boolean> {
  const check = async () =>
    settings().backendUrl
      ? requireValidInvitation(invitation === undefined ? null : await readToken('invitation', invitation))
      : requireSignUp(invitation, await readRequestContext(headers))
  return orUnavailable(check).then(
    () => true,
    (error: unknown) => {
      if (isApiError(error) && error.code === 'sign_up_closed') return false
      throw error
    },
  )
}
