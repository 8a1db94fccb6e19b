import { type Claim, claimsOf, passwordBuckets } from './attempts'
import type { Exchange, Limits } from './history'

type Entry = { at: number; isCertain: boolean }
type Claimed = { exchange: Exchange; claims: Claim[] }

/** What ends accounts and sessions: beside it, a failure may be no failure of what was shown. */
const ending = [
  ...['delete', 'signout-everywhere', 'username', 'recovery-codes'],
  ...['password', 'password/remove', 'passkeys/remove'],
]
const isEnding = ({ request, answer }: Exchange) =>
  answer === null || ending.includes(request.path.slice('/api/i/'.length))

/** The attempts of a history: never more than the policies allow, and none rejected without a reason. */
export class Ledger {
  private readonly limits: Limits
  private readonly entries = new Map<string, Entry[]>()
  constructor(limits: Limits) {
    this.limits = limits
  }

  /** @throws an error about a policy that was not kept */
  check(exchanges: readonly Exchange[]): void {
    const isCalm = !exchanges.some(isEnding)
    const signIns = [...this.entries.keys()].filter((bucket) => bucket.startsWith('sign-ins'))
    const all = exchanges.map((exchange) => ({ exchange, claims: claimsOf(exchange, this.limits, isCalm, signIns) }))
    for (const claimed of all) this.requireReason(claimed, all)
    for (const claimed of all) this.enter(claimed)
    for (const claimed of all) this.requireRoom(claimed)
  }

  private requireReason({ exchange, claims }: Claimed, all: readonly Claimed[]) {
    if (exchange.answer?.code !== 'too_many_attempts') return
    // Those at the same time may have counted for a while.
    const others = all.filter((other) => other.exchange !== exchange).flatMap((other) => other.claims)
    const mayBeFull = ({ bucket, max }: Claim) => {
      const beside = others.filter((other) => other.bucket === bucket).length
      return this.used(this.entriesOf(bucket), exchange.request.at) + beside + 1 > max - 0.01
    }
    if (!claims.some(mayBeFull)) throw new Error(`Rejected without a reason: ${JSON.stringify(exchange.request)}`)
  }

  private enter({ exchange, claims }: Claimed) {
    for (const { bucket, counts, isCertain } of claims) {
      if (counts) this.entries.set(bucket, [...this.entriesOf(bucket), { at: exchange.request.at, isCertain }])
    }
  }

  private requireRoom({ exchange: { request, answer }, claims }: Claimed) {
    // A password that is right ends the count of wrong ones, in one of these.
    if (request.path === '/api/signin' && answer?.status === 200)
      for (const bucket of passwordBuckets(request))
        this.entries.set(
          bucket,
          this.entriesOf(bucket).map(({ at }) => ({ at, isCertain: false })),
        )
    for (const { bucket, max } of claims) {
      const certain = this.entriesOf(bucket).filter(({ isCertain }) => isCertain)
      const used = this.used(certain, request.at)
      if (used > max + 0.01) throw new Error(`${used} attempts of ${max}: ${bucket}`)
    }
  }

  private entriesOf = (bucket: string) => this.entries.get(bucket) ?? []

  /** As the sliding window counts: those of this window, and of the one before by the part of it that is left. */
  private used(entries: readonly Entry[], at: number): number {
    const { windowMilliseconds } = this.limits
    const window = Math.floor(at / windowMilliseconds)
    const inWindow = (number: number) => entries.filter((entry) => Math.floor(entry.at / windowMilliseconds) === number)
    const weight = 1 - (at / windowMilliseconds - window)
    return inWindow(window).length + inWindow(window - 1).length * weight
  }
}
