import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { specsIn } from '../../mutation/specs.mjs'

test('mutants are tried on the specs of each project without a browser, in folders too', () => {
  const specs = specsIn('.')
  expect(new Set(specs.map((spec) => spec.split('/')[0]))).toEqual(new Set(['unit', 'api', 'openid']))
  expect(specs).toContain('unit/project/mutation-coverage.spec.ts')
  expect(specs.filter((spec) => !existsSync(join('tests', spec)))).toEqual([])
})
