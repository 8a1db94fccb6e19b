import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'playwright/test'
import config, { dependsOnRequests, dependsOnStorage } from '@/playwright.config'

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
  const project = 'api-networked'
  test.skip(!config.projects?.some(({ name }) => name === project), 'This machine does not have both.')
  const command = ['node_modules/playwright/cli.js', 'test', '--list', '--reporter=json', `--project=${project}`]
  const { suites } = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  const listed = (suites as { file: string }[]).map(({ file }) => basename(file, '.spec.ts'))
  expect(listed.sort()).toEqual(dependsOnStorage)
})
