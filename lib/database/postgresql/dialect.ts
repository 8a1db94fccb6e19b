import type { Dialect } from '../dialect/dialect'
import { amongUnlocked } from './among-unlocked'
import { openPostgres } from './client'
import { postgresMigrations } from './migrations'
import { purge } from './purge'
import { verify } from './verify'

export const postgresDialect: Dialect = {
  connect: openPostgres,
  migrations: postgresMigrations,
  purge,
  verify,
  runsConcurrently: true,
  amongUnlocked,
  ownTools: {
    backup: 'Accounts are on PostgreSQL, which has a tool for backups: pg_dump --format=custom.',
    restore: (file) =>
      `Accounts are on PostgreSQL. Restore ${file} with pg_restore, then run restore without a file, which ends the sessions.`,
  },
}
