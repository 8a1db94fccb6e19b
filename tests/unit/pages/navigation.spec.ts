import { expect, test } from 'playwright/test'
import { navigate } from '@/components/ui/navigation'

/** What `navigate` does to a page at https://id.example, whose timers and events run when the test says so. */
function pageThatLeads(path: string) {
  const page = { assigned: '', stayed: 0, timers: [] as (() => void)[], listeners: new Set<() => void>() }
  const location = { href: 'https://id.example/signin', origin: 'https://id.example', assign: setAssigned }
  function setAssigned(to: string) {
    page.assigned = to
  }
  const document = {
    visibilityState: 'visible',
    addEventListener: (_: string, listener: () => void) => page.listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => page.listeners.delete(listener),
  }
  const { setTimeout } = globalThis
  const setLater = (run: () => void) => page.timers.push(run)
  try {
    Object.assign(globalThis, { window: { location }, document, setTimeout: setLater })
    navigate(path, () => {
      page.stayed += 1
    })
    for (const run of page.timers) run()
    const afterTime = page.stayed
    document.visibilityState = 'hidden'
    for (const listener of [...page.listeners]) listener()
    const whileAway = page.stayed
    document.visibilityState = 'visible'
    for (const listener of [...page.listeners]) listener()
    for (const listener of [...page.listeners]) listener()
    return { assigned: page.assigned, afterTime, whileAway, afterReturn: page.stayed }
  } finally {
    Object.assign(globalThis, { setTimeout })
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
  }
}

const authorize = (redirectUri: string) =>
  `/api/oauth/authorize?${new URLSearchParams({ client_id: 'app', redirect_uri: redirectUri, next: 'com.example:/' })}`
const via = (page: string, next: string) => `${page}?${new URLSearchParams({ next })}`

test('a page has stayed where it is some seconds after it led to a scheme of its own, also by redirects', () => {
  const callback = 'com.example.app:/callback'
  const paths = [callback, authorize(callback), via('/notices', authorize(callback))]
  for (const path of paths)
    expect(pageThatLeads(path)).toEqual({ assigned: path, afterTime: 1, whileAway: 1, afterReturn: 1 })
})

test('a site of the web may answer as slowly as it likes, and the page has stayed once somebody comes back to it', () => {
  const callback = 'https://app.example/callback?next=com.example:/'
  const paths = [
    '/profile',
    callback,
    authorize(callback),
    authorize('http://localhost:8080/'),
    '/consent?request=a.b.c',
  ]
  for (const path of [...paths, via('/notices', authorize(callback)), via('/api/access', callback)])
    expect(pageThatLeads(path)).toEqual({ assigned: path, afterTime: 0, whileAway: 0, afterReturn: 1 })
})
