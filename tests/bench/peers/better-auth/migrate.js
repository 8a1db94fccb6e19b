import { getMigrations } from 'better-auth/db/migration'
import { auth } from './lib/auth.js'

const { runMigrations } = await getMigrations(auth.options)
await runMigrations()
