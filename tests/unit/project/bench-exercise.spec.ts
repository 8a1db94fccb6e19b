import { expect, test } from 'playwright/test'
import { rows } from '@/lib/api/endpoints'
import { exercised } from '../../bench/scale/exercised.mjs'

test('the benchmark by size reads the plans of each endpoint that takes POST', () => {
  const paths = rows.filter(({ method }) => method === 'POST').map(({ path }) => path)
  expect(exercised).toEqual(paths.sort())
})
