// Measures the built product on this machine, and exits with 1 if a goal is missed: against its budgets; with --scale, by how
// many accounts there are; with --peers, beside another product; with --openid, beside
// another OpenID provider. docs/evidence/benchmarks.md has the other options.
import '../../scripts/command-line/broken-pipe.mjs'
import { openid, peers, scale } from './options.mjs'

const file = scale
  ? './scale/scale.mjs'
  : peers
    ? './peers/peers.mjs'
    : openid
      ? './openid/openid.mjs'
      : './budgets/budgets.mjs'
const { bench } = await import(file)
await bench()
