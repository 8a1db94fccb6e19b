import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { interleaved } from './interleave.mjs'
import { short } from './report.mjs'
import { startProduct } from './servers.mjs'

/** @typedef {{ usable: number, script: number, requests: number }} Visit milliseconds, bytes after gzip, and how many */

const rounds = 9

/**
 * /signin in a browser whose CPU is four times as slow: when it is usable, and what it loads until a second after that.
 *
 * @param {import('./report.mjs').Report} report
 * @param {import('./servers.mjs').Server} constant
 */
export async function benchBrowser(report, constant) {
  const product = await startProduct(10)
  const pages = {
    empty: { url: `http://localhost:${constant.port}/page`, selector: 'main' },
    signIn: { url: `${product.origin}/signin`, selector: 'main button' },
  }
  const { empty, signIn } = await visits(pages)
  report.add({
    what: '/signin usable at 4 times CPU throttle',
    against: 'an empty page',
    ratio: signIn.usable / empty.usable,
    goal: 1.15,
    better: 'at most',
    found: `${short(signIn.usable)} ms, ${short(empty.usable)} ms`,
  })
  report.add({
    what: '/signin, script after gzip above an empty page',
    against: 'an empty page',
    ratio: (signIn.script - empty.script) / 1000,
    unit: ' kB',
    goal: 10,
    better: 'at most',
    found: `${short(signIn.script / 1000)} kB, ${short(empty.script / 1000)} kB`,
  })
  report.add({
    what: '/signin, requests above an empty page',
    against: 'an empty page',
    ratio: signIn.requests - empty.requests,
    unit: ' requests',
    goal: 2,
    better: 'at most',
    found: `${signIn.requests}, ${empty.requests}`,
  })
  await product.stop()
}

/**
 * Visits pages in turn, each time with an empty cache. A page is usable once React has taken over the element.
 *
 * @template {string} Name
 * @param {Record<Name, { url: string, selector: string }>} pages
 * @returns {Promise<Record<Name, Visit>>}
 */
export async function visits(pages) {
  const executablePath = findChromium()
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args })
  const found = /** @type {Record<Name, Visit>} */ ({})
  const names = /** @type {Name[]} */ (Object.keys(pages))
  const measure = (/** @type {Name} */ name) => async () => {
    const seen = await visit(browser, pages[name])
    found[name] = seen
    return seen.usable
  }
  const measurements = names.map((name) => /** @type {const} */ ([name, measure(name)]))
  const usable = await interleaved(
    /** @type {Record<Name, () => Promise<number>>} */ (Object.fromEntries(measurements)),
    rounds,
  )
  await browser.close()
  for (const name of names) found[name].usable = usable[name]
  return found
}

/** @param {import('playwright').Browser} browser @param {{ url: string, selector: string }} page @returns {Promise<Visit>} */
async function visit(browser, { url, selector }) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  /** @type {Promise<number>[]} */
  const scripts = []
  let requests = 0
  page.on('request', () => requests++)
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.addInitScript(watchForReact, selector)
  await page.goto(url)
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
