import type { Cluster, Redis } from 'ioredis'
import { expect, test } from 'playwright/test'
import { createRedisClient } from '@/lib/rate-limit/redis-tcp'
import { redisAddress } from '../../support/storage/redis-address'

/** What the client would connect with; none of these does. */
function optionsOf(url: string) {
  const { client, name } = createRedisClient(redisAddress(url))
  client.disconnect()
  return { name, options: (client as Redis).options, ofNodes: (client as Cluster).options.redisOptions }
}

test('a cluster takes name, password and TLS for its nodes from REDIS_URL, decoded', () => {
  const { name, ofNodes } = optionsOf('rediss://a%40b:p%2Fw@one:7000,rediss://a%40b:p%2Fw@two:7001')
  expect([name, ofNodes]).toEqual([
    'a Redis Cluster',
    expect.objectContaining({ username: 'a@b', password: 'p/w', tls: {} }),
  ])
  const plain = optionsOf('redis://one:7000,redis://two:7001').ofNodes
  for (const option of ['username', 'password', 'tls']) expect(plain).not.toHaveProperty(option)
})

test('Sentinels are asked for the name in the path of REDIS_URL, with a name and password of their own', () => {
  const { name, options } = optionsOf(
    'redis+sentinel://me:secret@[::1]:26379,b:26380/main%20one/3?sentinel_username=watch&sentinel_password=p%40w',
  )
  expect(name).toBe('the Redis that its Sentinels call main one')
  expect(options).toMatchObject({
    name: 'main one',
    db: 3,
    username: 'me',
    password: 'secret',
    sentinels: [
      { host: '::1', port: 26379 },
      { host: 'b', port: 26380 },
    ],
    sentinelUsername: 'watch',
    sentinelPassword: 'p@w',
  })
  expect(options.tls).toBeUndefined()
})

test('no client repeats a command, which the database may have counted by then', () => {
  for (const url of ['redis://one', 'redis+sentinel://one/main']) {
    const { options } = optionsOf(url)
    expect(options).toMatchObject({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    })
  }
  const { ofNodes } = optionsOf('redis://one:7000,redis://two:7001')
  expect(ofNodes).toMatchObject({ maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false })
})
