import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'

/** Each tag of a spec's tests, after the spec. */
function tagsOf(folder: string): string[] {
  const specs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.spec.ts'))
  return specs.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const tags = text.matchAll(/(?<=[ '])@[a-z]+(?=['"`])/g)
    return [...new Set([...tags].map(([tag]) => tag))].map((tag) => `${path} ${tag}`)
  })
}

test('a tag is one of those that the projects of the tests know, so that none takes a test out of every run', () => {
  const known = {
    'tests/api': ['@storage', '@networked', '@pages', '@long'],
    'tests/openid': ['@storage', '@networked', '@pages', '@long'],
    'tests/browser': ['@long'],
  }
  const unknown = Object.entries(known).flatMap(([folder, tags]) =>
    tagsOf(folder).filter((found) => !tags.some((tag) => found.endsWith(` ${tag}`))),
  )
  expect(unknown).toEqual([])
})

test('no test needs pages and PostgreSQL with Redis by its tags, whose project has no pages', () => {
  /** Each test's name and tags, with those of all groups of its file. */
  const heads = (path: string) => {
    const text = readFileSync(join('tests', path), 'utf8')
    const groups = [...text.matchAll(/test\.describe\(.*/g)].join()
    return text.split(/^\s*test\(/m).map((test) => groups + test.split('async ')[0])
  }
  const specs = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(api|openid).*\.spec\.ts$/.test(path),
  )
  const both = specs.flatMap(heads).filter((head) => head.includes('@pages') && /@storage|@networked/.test(head))
  expect(both).toEqual([])
})
