import type { Exchange, Limits, Request, Session } from './history'

/** That an exchange counts under a policy, or would have, had it ended otherwise. */
export type Claim = { bucket: string; max: number; counts: boolean; isCertain: boolean }

/** Known browsers count apart, by their device tokens or sessions. */
export const passwordBuckets = ({ username = '', isKnown, session }: Request) => {
  const bucket = `password ${username.toLowerCase()}`
  if (isKnown) return [`${bucket}, known`]
  // Whether a session is one of this account, and still lives, is known to the server alone.
  return session ? [bucket, `${bucket}, known`] : [bucket]
}

/** What a sign-in that succeeded counts for: the session that it continues, the passkey, or its way in. */
function signInBucket({ path, session: before, passkey, isKnown }: Request, { account, root }: Session) {
  if (before?.root === root) return `sign-ins ${root}`
  if (path === '/api/auth/login/verify') return `sign-ins ${passkey}`
  return `sign-ins ${path} ${account}${isKnown ? ', known' : ''}`
}

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
  const buckets = answer?.session ? [signInBucket(request, answer.session)] : signIns
  // A change of the password may take none: after a passkey or a code.
  const isSignIn = isCalm && !isKnown && path !== '/api/i/password'
  const signingIn = buckets.map((bucket) => perOwner(bucket, buckets !== signIns, isSignIn))
  // A registration that was verified has consumed its challenge, whatever became of the passkey.
  const isVerified = path === '/api/auth/register/verify' && (isOk || isTold || answer?.code === 'passkey_taken')
  const changing = [perOwner(`writes ${session?.root}`, isOk || isVerified, path !== '/api/i/username')]
  const ofAll = `writes ${session?.account} ${session?.epoch}`
  const writing = [...changing, claim(ofAll, 60 * limits.password, isOk || isVerified, path !== '/api/i/username')]
  const naming = perAddress('address', isTold)
  const creating = perAddress('address', isOk || isTold || isVerified)
  const answering = perAddress('passkey', isWrong, isCalm)
  const trying = [
    ...perAddress('address', isWrong && !isKnown, false),
    ...passwordBuckets(request).map((bucket, _, { length }) =>
      claim(bucket, limits.password, isWrong, isCalm && !isKnown && length === 1),
    ),
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
    '/api/i/password': [...trying, ...changing],
    '/api/i/recovery-codes': writing,
  }
  return claims[path] ?? []
}
