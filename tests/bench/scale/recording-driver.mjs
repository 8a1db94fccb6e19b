import { DatabaseSync as Driver } from '@photostructure/sqlite'
import { record } from './record-statements.mjs'

export class DatabaseSync extends Driver {
  /** @param {Parameters<InstanceType<typeof Driver>['prepare']>} words @override */
  prepare(...words) {
    record(words[0])
    return super.prepare(...words)
  }
}
