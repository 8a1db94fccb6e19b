import '../../support/unit/environment'
import dns from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test } from 'playwright/test'
import { permittedAddresses } from '@/lib/delivery/addresses'
import { callReceiver, fetchForStranger } from '@/lib/delivery/receiver'
import { tlsFailureOf } from '@/lib/delivery/senders'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { makeCertificate } from '../../support/network/certificate'
import { startReceiver } from '../../support/network/receiver'

const never = new AbortController().signal
const call = (url: string, signal = never) => callReceiver(url, { headers: {}, body: '{"a":1}', signal })

/** Has every name resolve to these addresses in this process, at the first look; then to a public one. */
async function resolvingTo<T>(addresses: string[], work: () => Promise<T>): Promise<{ result: T; times: number }> {
  const original = dns.lookup
  let times = 0
  const fake = async () => {
    times += 1
    return (times === 1 ? addresses : ['93.184.216.34']).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
  }
  Object.assign(dns, { lookup: fake })
  syncBuiltinESMExports()
  try {
    return { result: await work(), times }
  } finally {
    Object.assign(dns, { lookup: original })
    syncBuiltinESMExports()
  }
}

test('attempts at one name at once look it up once', async () => {
  const url = new URL('https://shared.example.com')
  const both = () => Promise.all([permittedAddresses(url), permittedAddresses(url)])
  const { result, times } = await resolvingTo(['93.184.216.34'], both)
  expect([result.flat().map(({ address }) => address), times]).toEqual([['93.184.216.34', '93.184.216.34'], 1])
})

test('a receiver gets what is posted, and its status comes back', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(202).end('thanks'))
  expect(await call(receiver.url)).toBe(202)
  expect(receiver.received).toMatchObject([{ path: '/hooks', body: '{"a":1}', headers: { 'content-length': '7' } }])
  await receiver.stop()
})

test('a redirect of a receiver is not followed, and its status comes back', async () => {
  const target = await startReceiver()
  const receiver = await startReceiver((_, response) => response.writeHead(307, { Location: target.url }).end())
  expect(await call(receiver.url)).toBe(307)
  expect(target.received).toEqual([])
  await Promise.all([receiver.stop(), target.stop()])
})

test('an answer counts by its status, and is cut once it goes on too long', async () => {
  const part = 65_536
  let cut = (_bytes: number) => {}
  const written = new Promise<number>((resolve) => {
    cut = resolve
  })
  const receiver = await startReceiver((_, response) => {
    let bytes = 0
    response.once('close', () => cut(bytes))
    response.writeHead(200)
    const more = () => {
      if (response.destroyed) return
      bytes += part
      response.write('x'.repeat(part), () => setImmediate(more))
    }
    more()
  })
  expect(await call(receiver.url)).toBe(200)
  // Far less than arrives in the second that a short answer has; most of it fills the buffers of both sockets.
  expect(await written).toBeLessThan(256 * part)
  await receiver.stop()
})

test('a receiver can finish an answer whose status has arrived', async () => {
  let end = (_milliseconds: number) => {}
  const lasted = new Promise<number>((resolve) => {
    end = resolve
  })
  const receiver = await startReceiver((_, response) => {
    const begun = performance.now()
    response.once('close', () => end(performance.now() - begun))
    response.writeHead(200).flushHeaders()
  })
  expect(await call(receiver.url)).toBe(200)
  // The second it has, less what clocks round.
  expect(await lasted).toBeGreaterThan(950)
  await receiver.stop()
})

test('an answer whose end does not come holds nobody up', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(200).write('and'))
  const begun = performance.now()
  expect(await call(receiver.url)).toBe(200)
  expect(performance.now() - begun).toBeLessThan(5_000)
  await receiver.stop()
})

test('a receiver may send eight interim responses, not an endless stream of them', async () => {
  const interim = (count: number) =>
    startReceiver((_, response) => {
      for (let sent = 0; sent < count; sent += 1) response.writeProcessing()
      response.writeHead(204).end()
    })
  const [few, many] = [await interim(8), await interim(9)]
  expect(await call(few.url)).toBe(204)
  await expect(call(many.url)).rejects.toThrow('more than eight interim responses')
  await Promise.all([few.stop(), many.stop()])
})

test('an attempt ends when its signal does', async () => {
  const receiver = await startReceiver(() => {})
  const ending = new AbortController()
  const calling = call(receiver.url, ending.signal)
  await receiver.until(1)
  ending.abort()
  await expect(calling).rejects.toThrow('cannot be reached')
  await receiver.stop()
})

test('a receiver that hangs is left after ten seconds', async () => {
  const receiver = await startReceiver(() => {})
  const begun = performance.now()
  await expect(call(receiver.url)).rejects.toThrow('no answer within ten seconds')
  expect(performance.now() - begun).toBeGreaterThan(9_900)
  await receiver.stop()
})

test('a receiver that changes the protocol has given no answer', async () => {
  const receiver = await startReceiver((_, { socket }) =>
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  )
  await expect(call(receiver.url)).rejects.toThrow('closed the connection without an answer')
  await receiver.stop()
})

test('a certificate that nobody vouches for is rejected, whatever the environment says, and told from a receiver that is not there', async () => {
  needs('openssl')
  const { certFile, keyFile } = makeCertificate(temporaryFolder('receiver'), ['localhost'])
  const tls = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  const receiver = await startReceiver(204, { tls })
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    await expect(call(`https://localhost:${receiver.port}/`)).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT')
    const plain = await startReceiver()
    const failures = [`https://localhost:${receiver.port}/`, `https://localhost:${plain.port}/`, 'http://127.0.0.1:1/']
    const errors = await Promise.all(failures.map((url) => call(url).catch((error: unknown) => error)))
    expect(errors.map(tlsFailureOf)).toEqual([
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      expect.stringMatching(/^(ERR_SSL_|EPROTO)/),
      null,
    ])
    await plain.stop()
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  }
  expect(receiver.received).toEqual([])
  await receiver.stop()
})

test('a receiver that is not there is named by the code of the failure', async () => {
  const receiver = await startReceiver()
  await receiver.stop()
  await expect(call(receiver.url)).rejects.toThrow('cannot be reached (ECONNREFUSED)')
  await expect(call('http://nowhere.invalid/')).rejects.toThrow(/^nowhere\.invalid cannot be resolved \(E[A-Z_]+\)$/)
})

const forbidden = [
  ...['http://169.254.169.254/latest', 'https://169.254.169.254/', 'http://[fe80::1]/', 'https://[fe80::1]/'],
  // By a translator and a tunnel: RFC 6052, RFC 8215, RFC 6145, RFC 3056.
  ...['https://[64:ff9b::a9fe:a9fe]/', 'https://[64:ff9b:1::a9fe:a9fe]/', 'https://[::ffff:0:a9fe:a9fe]/'],
  'https://[2002:a9fe:a9fe::1]/',
  ...['https://[::ffff:169.254.169.254]/', 'http://2852039166/', 'https://0.0.0.0/', 'https://[::]/'],
  ...['https://224.0.0.1/', 'https://255.255.255.255/', 'https://240.0.0.1/'],
  ...['https://[fd00:ec2::254]/', 'http://[fd00:ec2::23]/', 'http://[fd20:ce::254]/', 'http://[fd00:c1::a9fe:a9fe]/'],
  ...['http://[fd00:42::42]/', 'http://100.100.100.200/', 'https://100.100.100.200/', 'https://[::ffff:6464:64c8]/'],
  ...['http://168.63.129.16/', 'https://168.63.129.16/', 'https://[64:ff9b::a83f:8110]/', 'https://192.0.0.192/'],
]

for (const url of forbidden)
  test(`${url} is never called`, async () => {
    await expect(call(url)).rejects.toThrow('never called')
  })

for (const url of [
  'http://8.8.8.8/',
  'http://[2001:4860:4860::8888]/',
  'http://100.63.255.255/',
  'http://100.128.0.0/',
  'http://[::ffff:8.8.8.8]/',
])
  test(`${url} is called over https only`, async () => {
    await expect(call(url)).rejects.toThrow('use https')
  })

for (const host of [
  '127.0.0.1',
  '10.0.0.5',
  '172.16.3.4',
  '192.168.1.2',
  '100.64.0.0',
  '100.127.255.255',
  '[::1]',
  '[fd12:3456::1]',
  '[fd7a:115c:a1e0::1]',
  '[::ffff:10.0.0.5]',
])
  test(`${host} is called over plain http`, async () => {
    expect(await permittedAddresses(new URL(`http://${host}:8080/`))).toHaveLength(1)
  })

test('a stranger names nothing at an address that is not public', async () => {
  const reserved = ['127.0.0.1', '10.0.0.5', '172.16.3.4', '192.168.1.2', '100.64.0.0', '198.18.0.1', '192.0.2.1']
  const six = ['[::1]', '[fd12:3456::1]', '[::ffff:10.0.0.5]', '[64:ff9b::7f00:1]', '[2002:7f00:1::1]', '[2001:db8::1]']
  const hosts = [...reserved, ...six, ...forbidden.map((url) => new URL(url).host)]
  for (const host of hosts)
    await expect(fetchForStranger(`https://${host}/`, 1), host).rejects.toThrow('has no public address')
})

test.describe('names of receivers', () => {
  test.describe.configure({ mode: 'serial' })

  test('a name is looked up once, and the addresses that were checked are called', async () => {
    const receiver = await startReceiver()
    const { result, times } = await resolvingTo(['127.0.0.1'], () =>
      call(`http://hooks.example:${receiver.port}/hooks`),
    )
    expect(result).toBe(204)
    expect(times).toBe(1)
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`)
    await receiver.stop()
  })

  test('a name that is also at a link-local address is called at its others', async () => {
    const addresses = ['169.254.169.254', 'fe80::1%eth0', '192.168.1.2']
    const { result } = await resolvingTo(addresses, () => permittedAddresses(new URL('http://hooks.example/')))
    expect(result).toEqual([{ address: '192.168.1.2', family: 4 }])
  })

  test('a name that is at public addresses, too, is called over plain http at its private ones', async () => {
    const resolve = (url: string) => resolvingTo(['93.184.216.34', '10.0.0.5'], () => permittedAddresses(new URL(url)))
    expect((await resolve('http://hooks.example/')).result).toEqual([{ address: '10.0.0.5', family: 4 }])
    expect((await resolve('https://hooks.example/')).result).toHaveLength(2)
  })

  test('a name at a link-local address alone is never called', async () => {
    const calling = resolvingTo(['169.254.169.254'], () => call('https://hooks.example/'))
    await expect(calling).rejects.toThrow('hooks.example is at 169.254.169.254')
  })
})
