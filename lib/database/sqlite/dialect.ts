import type { Dialect } from '../dialect/dialect'
import { openSqlite } from './client'
import { findDamage } from './damage'
import { sqliteMigrations } from './migrations'
import { purge } from './purge'

export const sqliteDialect: Dialect = {
  connect: openSqlite,
  migrations: sqliteMigrations,
  purge,
  findDamage,
  runsConcurrently: false,
  amongUnlocked: ['IN (', ')'],
  ownTools: null,
}
