import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'playwright/test'
import { dependsOnRequests, dependsOnStorage } from '@/playwright.config'

const specsBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => ({ path: join(folder, path), name: basename(path, '.spec.ts') }))

const namesBelow = (folder: string) =>
  specsBelow(folder)
    .map(({ name }) => name)
    .sort()

test('the lists of specs by what they depend on are sorted and name specs only, each of them one', () => {
  expect(dependsOnStorage).toEqual(namesBelow('tests/api').filter((name) => dependsOnStorage.includes(name)))
  expect(dependsOnRequests).toEqual(namesBelow('tests/openid').filter((name) => dependsOnRequests.includes(name)))
})

test('@embedded and @networked are tags of specs that run on both storages alone', () => {
  const others = [
    ...specsBelow('tests/api').filter(({ name }) => !dependsOnStorage.includes(name)),
    ...specsBelow('tests/openid').filter(({ name }) => dependsOnRequests.includes(name)),
    ...specsBelow('tests/browser'),
  ].filter(({ path }) => /@embedded|@networked/.test(readFileSync(path, 'utf8')))
  expect(others).toEqual([])
})

test('each spec that depends on storage has a test that runs on PostgreSQL and Redis', () => {
  const idle = specsBelow('tests/api').filter(({ path, name }) => {
    const lines = readFileSync(path, 'utf8').split('\n')
    const tests = lines.filter((line) => /^ *test\(/.test(line))
    const elsewhere = lines.filter((line) => /@embedded|@pages/.test(line))
    return dependsOnStorage.includes(name) && elsewhere.length >= tests.length
  })
  expect(idle).toEqual([])
})
