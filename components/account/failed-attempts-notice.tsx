import { Day } from '@/components/ui/day'
import { Notice } from '@/components/ui/notice'

/** Told at the first sign-in after somebody tried many times, who may have been somebody else. */
export function FailedAttemptsNotice({
  count,
  since,
  hasPassword,
}: {
  count: number
  since: string
  hasPassword: boolean
}) {
  return (
    <div className="mb-5">
      <Notice tone="danger">
        <p className="font-semibold text-danger">
          {count === 1 ? 'An attempt to sign in was turned away' : `${count} attempts to sign in failed`}
        </p>
        <p>
          {count === 1 ? 'It was made' : 'They were made'} after you signed in on <Day at={since} time />.{' '}
          {'If it was not you, '}
          {hasPassword ? (
            <>
              <a href="#password" className="font-medium underline">
                change the password
              </a>
              {' to be safe. A passkey cannot be guessed, nor locked out this way.'}
            </>
          ) : (
            'there is nothing to do: this account has no password to guess, and passkeys cannot be locked out this way.'
          )}
        </p>
      </Notice>
    </div>
  )
}
