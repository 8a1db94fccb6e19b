// The command's options, which several files need.
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    scale: { type: 'boolean' },
    peers: { type: 'boolean' },
    openid: { type: 'boolean' },
    accounts: { type: 'string', default: '1000,100000,1000000' },
    expired: { type: 'string', default: '50000' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

export const { scale, peers, openid, quick, write } = values
/** Numbers of accounts, ascending. */
export const sizes = values.accounts.split(',').map(Number)
/** How many expired rows are swept. */
export const expired = Number(values.expired)
