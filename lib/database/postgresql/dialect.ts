import type { Dialect } from '../dialect/dialect'
import { amongUnlocked } from './among-unlocked'
import { openPostgres } from './client'
import { findDamage } from './damage'
import { postgresMigrations } from './migrations'
import { purge } from './purge'

export const postgresDialect: Dialect = {
  connect: openPostgres,
  migrations: postgresMigrations,
  purge,
  findDamage,
  runsConcurrently: true,
  amongUnlocked,
  ownTools: {
    backup: 'Accounts are on PostgreSQL, which has a tool for backups: pg_dump --format=custom.',
    restore: (file) =>
      `Accounts are on PostgreSQL. Restore ${file} with pg_restore, then run restore without a file, which ends the sessions.`,
  },
}
