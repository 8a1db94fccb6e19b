import type { Dialect } from '../dialect/dialect'
import { openSqlite } from './client'
import { sqliteMigrations } from './migrations'
import { purge } from './purge'
import { verify } from './verify'

export const sqliteDialect: Dialect = {
  connect: openSqlite,
  migrations: sqliteMigrations,
  purge,
  verify,
  runsConcurrently: false,
  amongUnlocked: ['IN (', ')'],
  ownTools: null,
}
