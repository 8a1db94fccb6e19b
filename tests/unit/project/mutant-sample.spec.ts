import { expect, test } from 'playwright/test'
import type { Mutant } from '../../mutation/instrument.mjs'
import { sample } from '../../mutation/sample.mjs'

/** @returns as many mutants of a folder */
const mutantsOf = (folder: string, count: number): Mutant[] =>
  Array.from({ length: count }, (_, index) => {
    const key = `${folder}-${index}`
    return { id: key, key, file: `${folder}/file.ts`, folder, line: 1, original: 'true', replacement: 'false' }
  })

const all = [...mutantsOf('lib/auth', 200), ...mutantsOf('lib/settings', 100), ...mutantsOf('lib/rate-limit', 31)]
const keys = (mutants: Mutant[]) => mutants.map(({ key }) => key)

test('a sample of mutants has each folder in proportion, and the same ones for the same seed', () => {
  const chosen = sample(all, 50, '1')
  const countOf = (wanted: string) => chosen.filter(({ folder }) => folder === wanted).length
  expect(['lib/auth', 'lib/settings', 'lib/rate-limit'].map(countOf)).toEqual([30, 15, 5])
  expect(keys(sample(all.toReversed(), 50, '1'))).toEqual(keys(chosen))
  expect(keys(sample(all, 50, '2'))).not.toEqual(keys(chosen))
})

test('a sample keeps its mutants of the other folders when one folder changes', () => {
  const others = (mutants: Mutant[]) => keys(mutants.filter(({ folder }) => folder !== 'lib/settings'))
  const changed = all.map((mutant) =>
    mutant.folder === 'lib/settings' ? { ...mutant, key: `${mutant.key}b` } : mutant,
  )
  expect(others(sample(changed, 50, '1'))).toEqual(others(sample(all, 50, '1')))
})

test('a sample of more mutants than there are has them all', () => {
  expect(keys(sample(all, 1000, '1')).sort()).toEqual(keys(all).sort())
})
