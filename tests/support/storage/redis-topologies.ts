import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis as Direct } from 'ioredis'
import { expect } from 'playwright/test'
import { freePort } from '../machine/ports'
import { temporaryFolder } from '../machine/temporary-folder'
import { makeCertificate } from '../network/certificate'
import { type Redis, startRedis } from './redis'

/** What all servers and Sentinels of a test demand, from each other too. */
export type Access = { password: string; authority: string; words(port: number): string[] }

const folder = () => temporaryFolder('redis')

/** A password, and TLS with a certificate for 127.0.0.1 that only `authority`, a file, vouches for. */
export function passwordAndTls(): Access {
  const { certFile: authority, keyFile: key } = makeCertificate(folder(), ['127.0.0.1'])
  const password = 'p@ss,word:1'
  const files = ['--tls-cert-file', authority, '--tls-key-file', key, '--tls-ca-cert-file', authority]
  const peers = ['--tls-auth-clients', 'no', '--tls-replication', 'yes', '--requirepass', password]
  return { password, authority, words: (port) => ['--port', '0', '--tls-port', String(port), ...files, ...peers] }
}

/** Runs one command on a server. */
export async function runOnRedis({ port }: Redis, access: Access | null, ...words: [string, ...string[]]) {
  const secured = access && { password: access.password, tls: { ca: readFileSync(access.authority) } }
  const direct = new Direct({ host: '127.0.0.1', port, ...secured })
  try {
    return String(await direct.call(...words))
  } finally {
    direct.disconnect()
  }
}

const prefix = (access: Access | null) => (access ? `rediss://:${encodeURIComponent(access.password)}@` : 'redis://')

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>

/** Three nodes without replicas. When one has been gone for half a second, the others reject every command. */
export async function startRedisCluster(access: Access | null = null) {
  const slots = ['0 5460', '5461 10922', '10923 16383']
  const starting = slots.map(async (range, index) => {
    const bus = String(await freePort())
    const words = [
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      bus,
      '--cluster-node-timeout',
      '500',
      '--dir',
      folder(),
    ]
    const tls = access ? ['--tls-cluster', 'yes', '--masterauth', access.password] : []
    const node = await startRedis((port) => [...words, ...tls, ...(access?.words(port) ?? [])])
    await runOnRedis(node, access, 'CLUSTER', 'ADDSLOTSRANGE', ...range.split(' '))
    await runOnRedis(node, access, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    return { node, bus }
  })
  const started = await Promise.all(starting)
  const nodes = started.map(({ node }) => node) as [Redis, Redis, Redis]
  /** A node forgets one that it was to meet if that takes more than a second: on a busy machine it is told again. */
  async function introduce() {
    const known = await runOnRedis(nodes[0], access, 'CLUSTER', 'NODES')
    for (const { node, bus } of started.slice(1))
      if (!known.includes(`:${node.port}@`))
        await runOnRedis(nodes[0], access, 'CLUSTER', 'MEET', '127.0.0.1', String(node.port), bus)
  }
  /** Waits until these nodes say that the cluster is in this state. */
  const untilState = (state: 'ok' | 'fail', asked: Redis[] = nodes) => {
    const answers = () => Promise.all(asked.map((node) => runOnRedis(node, access, 'CLUSTER', 'INFO')))
    const word = new RegExp(`cluster_state:${state}[^]*cluster_known_nodes:3`)
    return expect
      .poll(async () => {
        if (state === 'ok') await introduce()
        return (await answers()).every((info) => word.test(info))
      })
      .toBe(true)
  }
  await untilState('ok')
  const url = nodes.map(({ port }) => `${prefix(access)}127.0.0.1:${port}`).join()
  return { nodes, url, untilState, stop: () => Promise.all(nodes.map((node) => node.kill('SIGKILL'))) }
}

/** A primary, a replica and three Sentinels, which replace a primary that has been gone for half a second. */
export async function startRedisSentinels(access: Access | null = null) {
  const words = (port: number) => [...(access ? ['--masterauth', access.password] : []), ...(access?.words(port) ?? [])]
  const primary = await startRedis(words)
  const replica = await startRedis((port) => [...words(port), '--replicaof', `127.0.0.1 ${primary.port}`])
  const watch = [
    'bind 127.0.0.1',
    `sentinel monitor mymaster 127.0.0.1 ${primary.port} 2`,
    'sentinel down-after-milliseconds mymaster 500',
    'sentinel failover-timeout mymaster 2000',
    ...(access ? [`sentinel auth-pass mymaster ${access.password}`, `sentinel sentinel-pass ${access.password}`] : []),
  ].join('\n')
  const starting = [0, 1, 2].map(() => {
    const file = join(folder(), 'sentinel.conf')
    writeFileSync(file, watch)
    return startRedis((port) => [...(access?.words(port) ?? []), '--sentinel'], file)
  })
  const sentinels = (await Promise.all(starting)) as [Redis, Redis, Redis]
  const answers = () => Promise.all(sentinels.map((each) => runOnRedis(each, access, 'SENTINEL', 'MASTER', 'mymaster')))
  const complete = (fields: string) => fields.includes('num-slaves,1,num-other-sentinels,2,')
  await expect.poll(async () => (await answers()).every(complete)).toBe(true)
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join()
  const credentials = access ? `?sentinel_password=${encodeURIComponent(access.password)}` : ''
  return {
    primary,
    replica,
    sentinels,
    url: `${prefix(access).replace('://', '+sentinel://')}${hosts}/mymaster${credentials}`,
    stop: () => Promise.all([...sentinels, replica, primary].map((server) => server.kill('SIGKILL'))),
  }
}
