// Measures the built product on this machine, and exits with 1 if a goal is missed: against its budgets; with --scale, by how
// many accounts there are; with --peers, beside another product. docs/benchmarks.md has the other options.
import '../../scripts/programs/broken-pipe.mjs'
import { peers, scale } from './options.mjs'

const { bench } = await import(scale ? './scale/scale.mjs' : peers ? './peers/peers.mjs' : './budgets/budgets.mjs')
await bench()
