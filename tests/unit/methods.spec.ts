import { expect, test } from 'playwright/test'
import { methodsOf } from '@/lib/http/methods'

const everything = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test("a fork's own pages and route files keep all their methods, also with a dot in their path", () => {
  for (const path of ['/shop', '/webhook', '/hooks/stripe.json', '/signin/more', '/api/own', '/%zz', '/robots.txt/x'])
    expect(methodsOf(path), path).toEqual(everything)
})

test("Latchkey's pages and files take GET and HEAD, and its endpoints what the table says", () => {
  for (const path of ['/', '/signin', '/profile', '/robots.txt', '/r%6fbots.txt', '/_next/static/x.js', '/api/health'])
    expect(methodsOf(path), path).toEqual(['GET', 'HEAD'])
  expect(methodsOf('/api/signin')).toEqual(['POST'])
})
