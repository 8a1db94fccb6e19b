import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { dependsOnRequests, dependsOnStorage } from '@/playwright.config'

const specsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => name.replace('.spec.ts', ''))
    .sort()

test('the lists of specs by what they depend on are sorted and name specs only', () => {
  expect(dependsOnStorage).toEqual(specsIn('tests/api').filter((name) => dependsOnStorage.includes(name)))
  expect(dependsOnRequests).toEqual(specsIn('tests/openid').filter((name) => dependsOnRequests.includes(name)))
})

test('@embedded and @networked are tags of specs that run on both storages alone', () => {
  const others = [
    ...specsIn('tests/api')
      .filter((name) => !dependsOnStorage.includes(name))
      .map((name) => `tests/api/${name}.spec.ts`),
    ...dependsOnRequests.map((name) => `tests/openid/${name}.spec.ts`),
    ...specsIn('tests/browser').map((name) => `tests/browser/${name}.spec.ts`),
  ]
  expect(others.filter((path) => /@embedded|@networked/.test(readFileSync(path, 'utf8')))).toEqual([])
})
