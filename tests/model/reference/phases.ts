import {
  acceptsHint,
  beginsFamily,
  consumesCode,
  endsByHint,
  isSignedIn,
  issuesCode,
  mayGiveTokens,
  refreshes,
  removesAccess,
  savesGrant,
  showsToken,
  usesRefreshToken,
} from './apps'
import {
  beginsList,
  deletes,
  findsOther,
  listsSessions,
  looks,
  makesCodes,
  mayRevoke,
  maySignOut,
  removesPasskey,
  removesPassword,
  renames,
  renewsInNextEpoch,
  renewsWithoutPasskey,
  revokes,
  setsPassword,
  signsOut,
  signsOutEverywhere,
} from './changes'
import {
  beginsRegistration,
  consumesChallenge,
  createsWithPassword,
  findsAccount,
  findsPasskey,
  mayAnswer,
  mayRegister,
  opensByPasskey,
  opensByPasswordOrCode,
  opensNew,
  registers,
} from './opening'
import { deletesGroup, joins, leaves, setsAddress } from './orders'
import { answers, byCredential, bySession, isGood, type Phase } from './state'

/**
 * What Latchkey promises about accounts, sessions, passkeys and codes. A request is a few phases; each is atomic, and those
 * of other requests may come between. A session is therefore looked at twice: nothing is written after its end.
 */
export const phases: Record<string, Phase[]> = {
  '/api/signup': [createsWithPassword, opensNew],
  '/api/signin': [findsAccount, opensByPasswordOrCode],
  '/api/signin/recovery': [findsAccount, opensByPasswordOrCode],
  '/api/signout': [signsOut],
  '/api/auth/register/options': [beginsRegistration],
  '/api/auth/register/verify': [consumesChallenge, mayRegister, registers, opensNew],
  '/api/auth/login/options': [
    (state, exchange) => {
      const { session, at } = exchange.request
      const asking = isGood(state, session, at) ? session.name : null
      return answers(state, exchange, ({ challenge }) => challenge?.session === asking)
    },
  ],
  '/api/auth/login/verify': [consumesChallenge, mayAnswer, findsPasskey, opensByPasskey],
  '/api/i': [bySession(looks)],
  '/api/i/sessions': [bySession(beginsList), listsSessions],
  '/api/i/sessions/revoke': [bySession((state) => [{ state }]), findsOther, mayRevoke, revokes],
  '/api/i/signout-everywhere': [bySession(maySignOut), bySession(signsOutEverywhere), renewsInNextEpoch],
  '/api/i/passkeys/remove': [byCredential, bySession(removesPasskey), renewsWithoutPasskey],
  '/api/i/recovery-codes': [byCredential, bySession(makesCodes)],
  '/api/i/username': [byCredential, bySession(renames)],
  '/api/i/password': [byCredential, bySession(setsPassword), renewsInNextEpoch],
  '/api/i/password/remove': [byCredential, bySession(removesPassword)],
  '/api/i/delete': [byCredential, bySession(deletes)],
  join: [joins],
  leave: [leaves],
  'delete group': [deletesGroup],
  email: [setsAddress],
  '/api/i/apps/revoke': [bySession((state) => [{ state }]), bySession(removesAccess)],
  '/api/oauth/authorize': [isSignedIn, savesGrant, issuesCode],
  '/api/oauth/token': [consumesCode, mayGiveTokens, beginsFamily],
  refresh: [usesRefreshToken, refreshes],
  '/api/oauth/logout': [acceptsHint, endsByHint],
  '/api/oauth/userinfo': [showsToken],
}
