import type { IncomingMessage, ServerResponse } from 'node:http'
import { logConsole } from '@/lib/process/console'
import { settings } from '@/lib/settings/settings'
import { isPageUnavailable } from '../../pages/unavailable'
import { pathOf } from '../../request/request-target'
import { setCommonHeaders } from '../every-response'
import { dropInternalHeaders } from '../internal-headers'
import type { Listener } from '../listener'
import { kindOfPath } from '../paths'
import { limitBody } from './body-limit'
import { dropUnmetConditions } from './file-conditions'
import { limitHead } from './head-limits'
import { loadPages } from './next'
import { renderInTurn } from './page-turns'
import { prepareOwnPage } from './prepare-own-page'
import { withUnavailableStatus } from './unavailable-status'

/** Serves what is not in the table of endpoints: pages, files, and the route files of a fork. */
export async function pagesListener(): Promise<Listener> {
  const { port, host: hostname, telemetry } = settings()
  const pages = await loadPages({ port, hostname, telemetry: telemetry !== null })
  const render = withUnavailableStatus(pages.render)
  logConsole(isPageUnavailable)
  return async (request, response) => {
    setCommonHeaders(response)
    const path = pathOf(request.url ?? '')
    if (limitHead(request, response)) return
    // proxy.ts does not see what is under /api, so nothing keeps a copy of these bodies.
    if (!path.startsWith('/api/') && limitBody(request, response, pages.bodyBytes)) return
    dropInternalHeaders(request)
    const kind = kindOfPath(path)
    // Also where nothing is: Next resolves dot segments, which may lead to a file.
    if (kind !== 'route') dropUnmetConditions(request, path)
    if (kind === 'page' || kind === 'nothing') await renderOwnPage(request, response, render)
    else await render(request, response)
  }
}

async function renderOwnPage(request: IncomingMessage, response: ServerResponse, render: Listener): Promise<void> {
  // A runtime prefetch, which Next cannot make of our pages: it logs an error. Its client asks for one only where a route opts in.
  if (request.headers['next-router-prefetch'] === '2') delete request.headers['next-router-prefetch']
  if (await prepareOwnPage(request, response)) return
  renderInTurn(request, response, render)
}
