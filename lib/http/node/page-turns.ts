import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Turn } from '@/lib/auth/passwords/expected-turns'
import { FairQueue } from '@/lib/auth/passwords/fair-queue'
import { surroundingNetwork } from '@/lib/auth/throttling/networks'
import { singleton } from '@/lib/process/singleton'
import { clientAddress } from '../client-address'

/** One after the other would waste the time that a render waits for the database. */
const shares = { places: 4, perAddress: 2, perAccount: Number.POSITIVE_INFINITY }

/** A render that takes longer waits for a backend or for a client that does not read; neither computes. */
const longestMilliseconds = 1_000

interface Job extends Turn {
  start(): void
}

const renders = () => singleton('page-turns', () => new FairQueue<Job>(shares))

/**
 * Renders a page when its client's turn comes. Renders compute in the thread that answers everybody, so an address that asks
 * for many pages at once waits behind itself.
 */
export function renderInTurn(request: IncomingMessage, response: ServerResponse, render: () => unknown): void {
  const address = clientAddress({ get: (name) => request.headers[name.toLowerCase()]?.toString() ?? null })
  const job: Job = {
    account: '',
    address,
    network: surroundingNetwork(address) ?? address,
    work: 1,
    start() {
      const late = setTimeout(leave, longestMilliseconds)
      response.once('close', () => clearTimeout(late))
      void render()
    },
  }
  const leave = () => {
    renders().remove(job)
    renders().finish(job)
    startNext()
  }
  response.once('close', leave)
  renders().add(job)
  startNext()
}

function startNext(): void {
  for (let job = renders().next(); job; job = renders().next()) job.start()
}
