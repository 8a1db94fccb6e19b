// The command's options, which several files need.
import { readOptions } from '../../scripts/support/command-line.mjs'

const values = readOptions(
  'npm run bench --',
  'Measures the built product; docs/evidence/benchmarks.md explains what and how.',
  {
    '--scale': 'by how many accounts there are, instead of against its budgets',
    '--accounts <numbers>': 'with --scale: how many accounts; 1000,100000,1000000 by default',
    '--expired <number>': 'with --scale: how many expired rows are swept; 50000 by default',
    '--browser': 'also /signin in a browser whose CPU is four times as slow',
    '--quick': 'once instead of often: whether it runs',
    '--write': 'write the table of docs/evidence/benchmarks.md',
  },
)

export const { scale, browser } = values
export const [quick, write] = [values.quick === true, values.write === true]
/** Numbers of accounts, ascending. */
export const sizes = String(values.accounts ?? '1000,100000,1000000')
  .split(',')
  .map(Number)
/** How many expired rows are swept. */
export const expired = Number(values.expired ?? 50_000)
