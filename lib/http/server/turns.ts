import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { networkOf } from '@/lib/auth/request'
import { FairQueue, startNext } from '@/lib/fair-queue/fair-queue'
import type { StartableJob } from '@/lib/fair-queue/lanes'
import { singleton } from '@/lib/process/singleton'
import { clientAddress } from '../request/context'
import { nodeHeaders } from '../request/head'
import { earlierResponsesSent } from './connections'
import { type Listener, serveRequest } from './listeners'

/** Several pages render at once, because a render also waits for the database. */
const shares = { places: 4, perAddress: 2 }

/** A render that takes longer gives up its place: it waits for a backend or a slow client, and computes nothing. */
const longestMilliseconds = 1_000

const renders = () => singleton('page-turns', () => new FairQueue<StartableJob>(shares))

/**
 * Queues renders by address, since they share one thread. While 40 connections of one address ask for pages, another's page takes
 * 40 ms and its answer of the API 3; without turns, 450 and 45. A page waits outside the queue for earlier responses of its
 * connection: it could not end before them, and would keep its place.
 */
export function renderInTurn(request: IncomingMessage, response: ServerResponse, render: Listener): void {
  const address = clientAddress(nodeHeaders(request.headers))
  const job: StartableJob = {
    address,
    party: networkOf(address),
    line: address,
    work: 1,
    // Bound to its own async context, because the end of another request starts it. Next keeps the context of a render, which
    // would then hold on to that request, and to all before it: a stranger who always has one waiting would fill the memory.
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
 * Waits until Node knows if the client has gone already: it reads the end of a connection in the next poll of its event loop, and
 * emits `close` after the immediates of that iteration. Otherwise a stranger who only opens and closes connections would have a
 * page rendered for each.
 */
async function untilClosed(): Promise<void> {
  for (let immediate = 0; immediate < 3; immediate += 1) await setImmediate()
}
