// Measures the built product on this machine, and exits with 1 if a goal is missed: against its budgets or, with --scale, by how
// many accounts there are. docs/evidence/benchmarks.md has the other options.
import '../../scripts/support/command-line.mjs'
import { scale } from './options.mjs'

const { bench } = await import(scale ? './scale/scale.mjs' : './budgets/budgets.mjs')
await bench()
