import type { Settings } from '@/lib/settings/settings'
import { dayMilliseconds, hourMilliseconds } from '../time'

type ConfiguredLimits = Settings['rateLimit']

const perPassword = ({ passwordMax }: ConfiguredLimits) => passwordMax
const perAddress = ({ addressMax }: ConfiguredLimits) => addressMax
/** An IPv6 /48 may be a whole site, or one customer with 65,536 addresses. */
const perNetwork = ({ addressMax }: ConfiguredLimits) => 10 * addressMax
/** Nobody needs so many, and they are too few for a valid credential to keep the server hashing and writing. */
const perOwner = ({ passwordMax }: ConfiguredLimits) => 12 * passwordMax
/** All sessions of an account together may write so often. */
const perAccount = ({ passwordMax }: ConfiguredLimits) => 5 * 12 * passwordMax

export interface PolicyRow {
  max: (limits: ConfiguredLimits) => number
  windowMilliseconds?: number
  /** The name in telemetry, which is the same for an address and its network, since operators treat them alike */
  reportedAs: string
}

export const policies = {
  /** Password attempts per username, from browsers that are not known to the account */
  password: { max: perPassword, reportedAs: 'password' },
  /** The same after a hundred failures in a row */
  'password-day': { max: perPassword, windowMilliseconds: dayMilliseconds, reportedAs: 'password' },
  /** Password attempts per known browser: its device token, or the root of its session */
  'password-device': { max: perPassword, reportedAs: 'password-device' },
  /**
   * Per address: failures of `password`, accounts created with one, verified registrations of new accounts, reports that a
   * username is taken, and wrong secrets of cron jobs and wrong keys of operators
   */
  address: { max: perAddress, reportedAs: 'address' },
  'address-48': { max: perNetwork, reportedAs: 'address' },
  /** Failed passkey verifications, per address */
  passkey: { max: perAddress, reportedAs: 'passkey' },
  'passkey-48': { max: perNetwork, reportedAs: 'passkey' },
  /** Wrong recovery codes, per address. No limit per username: 120 random bits need none, and it would lock owners out. */
  recovery: { max: perAddress, reportedAs: 'recovery-code' },
  'recovery-48': { max: perNetwork, reportedAs: 'recovery-code' },
  /** Wrong secrets of apps, per address and app */
  app: { max: perAddress, reportedAs: 'client' },
  'app-48': { max: perNetwork, reportedAs: 'client' },
  /**
   * Successful sign-ins, by the root of the session that reauthenticates, by passkey or by known browser; passwords in unknown
   * browsers and recovery codes by account and method. With one count for all, a thief of the password could keep the owner out
   * by signing in.
   */
  'sign-ins': { max: perOwner, reportedAs: 'sign-ins' },
  /**
   * Per root of a session, so that a thief's uses up nothing of the owner's: renames, password changes, new codes and dismissed
   * notices that succeed, and each verified registration of a passkey. Removals need no limit, since they run out.
   */
  'account-writes': { max: perOwner, reportedAs: 'account-writes' },
  /**
   * All of these but password changes, of all sessions of an account. Counts per epoch, so that it begins anew once a thief is
   * out.
   */
  'account-writes-all': { max: perAccount, reportedAs: 'account-writes' },
  /**
   * Per root of a session: display names, names of passkeys and answers to consent pages, which need a session alone. Apart from the others,
   * since a thief's copied session must not use up the changes by which the owner gets rid of the thief.
   */
  'session-writes': { max: perOwner, reportedAs: 'session-writes' },
  'session-writes-all': { max: perAccount, reportedAs: 'session-writes' },
  /** Revoked access tokens, per family of refresh tokens, which gives another one at each refresh */
  revocations: { max: perOwner, reportedAs: 'revocations' },
  /**
   * Letters that strangers can cause to an address which is not proved for the account: codes and invitations. Per address, in
   * lower case
   */
  'letters-address': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  'letters-address-day': { max: () => 10, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** The same per account and per network that asks for them */
  'letters-account': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  'letters-network': { max: () => 20, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  /** Invitations by letter, per administrator or key */
  'letters-sender': { max: () => 100, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** Letters about an account to its own address, per kind: more of an hour come as one, and none is dropped */
  'letters-own': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  /**
   * Letters that open a recovery, per account, and per account and network (IPv4 /24, IPv6 /48), for browsers that the account does
   * not know; and per browser that it knows, so that strangers use up nothing of the owner's
   */
  'recovery-letters': { max: () => 5, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  'recovery-letters-network': { max: () => 2, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  'recovery-letters-browser': { max: () => 5, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** Codes that are tried, per account and per address over all accounts: a code has a million values */
  'email-codes': { max: () => 15, windowMilliseconds: dayMilliseconds, reportedAs: 'email-codes' },
  'email-codes-address': { max: () => 25, windowMilliseconds: dayMilliseconds, reportedAs: 'email-codes' },
  /** Calls of `/api/deliver` by anybody, over all addresses */
  'cron-rounds': { max: () => 1, windowMilliseconds: hourMilliseconds, reportedAs: 'cron-rounds' },
  /** Codes of devices that are typed wrongly, per account and per network: a code has 2.5e10 values, and lives ten minutes */
  'user-codes': { max: () => 10, windowMilliseconds: hourMilliseconds, reportedAs: 'user-codes' },
  /** Codes that devices ask for, each a row, per network and app */
  'device-requests': { max: () => 100, windowMilliseconds: hourMilliseconds, reportedAs: 'device-requests' },
  /** Documents of clients that are fetched, per host that has them, and per network that asks */
  'client-documents': { max: () => 120, windowMilliseconds: hourMilliseconds, reportedAs: 'client-documents' },
  'client-documents-network': { max: () => 120, windowMilliseconds: hourMilliseconds, reportedAs: 'client-documents' },
  /** Those that could not be fetched or read, per URL */
  'client-document-failures': { max: () => 3, windowMilliseconds: 300_000, reportedAs: 'client-documents' },
  /** Requests of an operator's key, so that one that loops, or is stolen, leaves the server to others */
  'operator-key': { max: () => 3_000, reportedAs: 'operator-key' },
} satisfies Record<string, PolicyRow>

export type Policy = keyof typeof policies
