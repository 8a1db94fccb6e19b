import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { chromiumOptions } from '../support/machine/find-chromium.mjs'
import { inTurns, mapValues, median } from './interleave.mjs'
import { startProduct } from './servers.mjs'

/** @typedef {{ usable: number, script: number, requests: number }} Visit milliseconds, kB after gzip, and how many */

const rounds = 5

/**
 * /signin in a browser whose CPU is four times as slow: when it is usable, and what it loads until a second after that.
 *
 * @param {import('./report.mjs').Report} report
 * @param {import('./servers.mjs').Server} constant
 */
export async function benchBrowser(report, constant) {
  const product = await startProduct(10)
  const pages = {
    empty: emptyPage(constant),
    signIn: { url: `${product.origin}/signin`, selector: 'main button' },
  }
  const { empty, signIn } = await visits(pages, otherSite(constant))
  const better = /** @type {const} */ ('at most')
  const figures = /** @type {[number, number]} */ ([signIn.usable, empty.usable])
  report.compare('/signin usable at 4 times CPU throttle', 'an empty page', figures, { of: ' ms', better, goal: 1.15 })
  const above = (/** @type {'script' | 'requests'} */ what, /** @type {string} */ unit, /** @type {number} */ goal) =>
    report.add({
      what: `/signin, ${what} above an empty page`,
      against: 'an empty page',
      ratio: signIn[what] - empty[what],
      unit,
      better,
      goal,
      found: `${signIn[what].toFixed(1)}, ${empty[what].toFixed(1)}`,
    })
  above('script', ' kB', 10)
  above('requests', '', 2)
  await product.stop()
}

/** @param {import('./servers.mjs').Server} constant */
export const emptyPage = ({ port }) => ({ url: `http://localhost:${port}/page`, selector: 'main' })

/** A page of another site than `localhost`. @param {import('./servers.mjs').Server} constant */
export const otherSite = ({ port }) => `http://127.0.0.1:${port}/page`

/**
 * Visits pages in turn, each time with an empty cache, and from another site's page, as people come. A page is usable once
 * React has taken over the element.
 *
 * @template {string} Name
 * @param {Record<Name, { url: string, selector: string }>} pages
 * @param {string} from the other site's page
 * @returns {Promise<Record<Name, Visit>>} medians
 */
export async function visits(pages, from) {
  const browser = await chromium.launch(chromiumOptions())
  const found = await inTurns(
    mapValues(pages, (page) => () => visit(browser, page, from)),
    rounds,
  )
  await browser.close()
  return mapValues(found, (all) => ({
    usable: median(all.map(({ usable }) => usable)),
    script: median(all.map(({ script }) => script)),
    requests: median(all.map(({ requests }) => requests)),
  }))
}

/**
 * @param {import('playwright').Browser} browser
 * @param {{ url: string, selector: string }} page
 * @param {string} from
 * @returns {Promise<Visit>}
 */
async function visit(browser, { url, selector }, from) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(from)
  /** @type {Promise<number>[]} */
  const scripts = []
  let requests = 0
  page.on('request', () => requests++)
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length / 1000))
  })
  await page.addInitScript(watchForReact, selector)
  await page.evaluate((address) => {
    location.href = address
  }, url)
  await page.waitForURL(url)
  const usable = await page.waitForFunction(() => /** @type {{ usableAt?: number }} */ (globalThis).usableAt)
  await pause(1_000)
  const sizes = await Promise.all(scripts)
  const visited = {
    usable: Number(await usable.jsonValue()),
    requests,
    script: sizes.reduce((sum, size) => sum + size, 0),
  }
  await context.close()
  return visited
}

/** Runs in the page: React marks the elements that it has taken over. @param {string} selector */
function watchForReact(selector) {
  const timer = setInterval(() => {
    const element = document.querySelector(selector)
    if (!element || !Object.keys(element).some((key) => key.startsWith('__reactFiber$'))) return
    clearInterval(timer)
    Object.assign(globalThis, { usableAt: performance.now() })
  }, 1)
}
