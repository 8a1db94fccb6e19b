import { expect, test } from 'playwright/test'
import { originForm } from '@/lib/http/request/head'

test('the absolute form of a request target is its path and query, whatever its scheme', () => {
  expect(originForm('http://host.example/a%2Fb?c=d')).toBe('/a%2Fb?c=d')
  for (const scheme of ['http', 'app']) {
    expect(originForm(`${scheme}://host.example`)).toBe('/')
    expect(originForm(`${scheme}://host.example?c=d`)).toBe('/?c=d')
  }
})

test('a request target that is no URL is the path of nothing', () => {
  for (const target of ['*', 'http://[']) expect(originForm(target)).toBe('/*')
})
