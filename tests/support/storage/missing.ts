import { isMissing } from '../machine/programs'
import { findPgbouncer } from './pgbouncer'
import { findPostgres } from './postgres-programs'
import { findRedis } from './redis'

const lacks = (name: string, path: string | null) =>
  isMissing(path !== null, `tests with ${name}, which this machine lacks`)

export const withoutPostgres = lacks('PostgreSQL', findPostgres())
export const withoutRedis = lacks('Redis', findRedis())
export const withoutPgbouncer = lacks('PgBouncer', findPgbouncer())
