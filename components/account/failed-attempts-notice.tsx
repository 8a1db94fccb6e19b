import { Day } from '@/components/ui/day'
import { Notice } from '@/components/ui/notice'

interface Props {
  count: number
  since: string
  hasPassword: boolean
}

export function FailedAttemptsNotice({ count, since, hasPassword }: Props) {
  return (
    <div className="mb-5">
      <Notice tone="danger">
        <p className="font-semibold text-danger">
          {count === 1 ? '1 failed sign-in attempt' : `${count} failed sign-in attempts`}
        </p>
        <p>
          Since you signed in on <Day at={since} time />.{" If this wasn't you, "}
          {hasPassword ? (
            <>
              <a href="#password" className="font-medium underline">
                change your password
              </a>
              {". Passkeys can't be guessed or locked out this way."}
            </>
          ) : (
            "you don't need to do anything: this account has no password to guess, and passkeys can't be locked out this way."
          )}
        </p>
      </Notice>
    </div>
  )
}
