// Measures the built product on this machine, and exits with 1 if a goal is missed. Without an option, against its budgets;
// with --scale, by how many accounts there are; with --peers, beside another product.
import { parseArgs } from 'node:util'
import '../../scripts/broken-pipe.mjs'

const options = /** @type {const} */ ({
  scale: { type: 'boolean' },
  peers: { type: 'boolean' },
  accounts: { type: 'string', default: '1000,100000,1000000' },
  expired: { type: 'string', default: '1000000' },
})
const { values } = parseArgs({ options })
const { scale, peers, accounts, expired } = values

if (scale) {
  const { benchScale } = await import('./scale.mjs')
  await benchScale(accounts.split(',').map(Number), Number(expired))
} else if (peers) {
  const { benchPeers } = await import('./peers.mjs')
  await benchPeers()
} else {
  const { benchBudgets } = await import('./budgets.mjs')
  await benchBudgets()
}
