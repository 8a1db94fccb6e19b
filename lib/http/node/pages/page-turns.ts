import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { networkOf } from '@/lib/auth/model/networks'
import { FairQueue, startNext } from '@/lib/fair-queue/fair-queue'
import type { StartableJob } from '@/lib/fair-queue/queued-job'
import { singleton } from '@/lib/process/singleton'
import { clientAddress } from '../../request/client-address'
import { nodeHeaders } from '../../request/node-headers'
import { earlierResponsesSent } from '../connections/connections'
import type { Listener } from '../listener'
import { serveRequest } from '../serve-request'

/** More than one, because a render also waits for the database. */
const shares = { places: 4, perAddress: 2 }

/** A longer render waits for a backend or a slow client, and computes nothing. */
const longestMilliseconds = 1_000

const renders = () => singleton('page-turns', () => new FairQueue<StartableJob>(shares))

/** Queues renders by address: they share one thread. A page behind a response that is held back could not end, and waits before. */
export function renderInTurn(request: IncomingMessage, response: ServerResponse, render: Listener): void {
  const address = clientAddress(nodeHeaders(request.headers))
  const job: StartableJob = {
    address,
    party: networkOf(address),
    line: address,
    work: 1,
    // Another request's end starts it. Next keeps the async context of a render, which would then lead to that request, and on to
    // all before it: a stranger who always has one waiting would fill the memory.
    start: AsyncResource.bind(() => {
      const late = setTimeout(leave, longestMilliseconds)
      response.once('close', () => clearTimeout(late))
      void serveRequest(render, request, response)
    }),
  }
  const leave = () => {
    renders().remove(job)
    renders().finish(job)
    startNext(renders())
  }
  response.once('close', leave)
  void earlierResponsesSent(request, response)
    .then(untilClosed)
    .then(() => {
      if (response.destroyed) return
      renders().add(job)
      startNext(renders())
    })
}

/**
 * Until a client that has gone already is known to have: Node reads the end of a connection in the next poll of its event loop,
 * and emits `close` after the immediates of that iteration. A stranger who closes his connections would otherwise have a page
 * rendered for each.
 */
async function untilClosed(): Promise<void> {
  for (let immediate = 0; immediate < 3; immediate += 1) await setImmediate()
}
