import type { Exchange, Limits, Request } from './history'

/** That an exchange counts under a policy, or would have, had it ended otherwise. */
export type Claim = { bucket: string; max: number; counts: boolean; isCertain: boolean }

/** Known browsers count apart, by their device tokens. */
export const passwordBucket = ({ username = '', isKnown }: Request) =>
  `password ${username.toLowerCase()}${isKnown ? ', known' : ''}`

/**
 * The policies that an exchange meets.
 *
 * @param isCalm whether no account or session ended beside it, so that a failure is certainly one of what was shown
 * @param signIns the buckets of sign-ins: one that is rejected does not say whose it would have been
 */
export function claimsOf({ request, answer }: Exchange, limits: Limits, isCalm: boolean, signIns: string[]): Claim[] {
  const { path, address, session, challenge, isKnown } = request
  const isLost = answer === null
  const isOk = !isLost && answer.status < 300
  const isTold = answer?.code === 'username_taken'
  const isWrong = answer?.code === 'authentication_failed' || answer?.code === 'unknown_passkey'

  const claim = (bucket: string, max: number, counts: boolean, isCertain: boolean): Claim => ({
    bucket,
    max,
    counts: counts || isLost,
    isCertain: isCertain && !isLost,
  })
  /** An IPv6 /64, and ten times as many in the /48 around it. */
  const perAddress = (policy: string, counts: boolean, isCertain = true) => [
    claim(`${policy} ${address}`, limits.address, counts, isCertain),
    claim(`${policy} ${address.split(':').slice(0, 3).join(':')}`, 10 * limits.address, counts, isCertain),
  ]
  const perOwner = (bucket: string, counts: boolean, isCertain = true) =>
    claim(bucket, 12 * limits.password, counts, isCertain)
  const opened = answer?.session && [perOwner(`sign-ins ${answer.session.account}`, isOk)]
  const signingIn = opened ?? signIns.map((bucket) => perOwner(bucket, false))
  // A registration that was verified has consumed its challenge, whatever became of the passkey.
  const isVerified = path === '/api/auth/register/verify' && (isOk || isTold || answer?.code === 'passkey_taken')
  const writing = [perOwner(`writes ${session?.account}`, isOk || isVerified, path !== '/api/i/username')]
  const naming = perAddress('address', isTold)
  const creating = perAddress('address', isOk || isTold || isVerified)
  const answering = perAddress('passkey', isWrong, isCalm)
  const trying = [
    ...perAddress('address', isWrong && !isKnown, false),
    claim(passwordBucket(request), limits.password, isWrong, isCalm && !isKnown),
    ...signingIn,
  ]
  const claims: Record<string, Claim[]> = {
    '/api/signup': creating,
    '/api/signin': trying,
    '/api/signin/recovery': [...perAddress('recovery', isWrong, isCalm), ...signingIn],
    '/api/auth/register/options': naming,
    '/api/auth/register/verify': [...answering, ...(challenge?.username === null ? writing : creating)],
    '/api/auth/login/verify': [...answering, ...signingIn],
    '/api/i/username': [...naming, ...writing],
    '/api/i/password': [...trying, ...writing],
    '/api/i/recovery-codes': writing,
  }
  return claims[path] ?? []
}
