import { passkey } from '@better-auth/passkey'
import bcrypt from 'bcrypt'
import { betterAuth } from 'better-auth'
import Database from 'better-sqlite3'

const { BCRYPT_COST, DATABASE_FILE, ORIGIN, SECRET } = process.env
const database = new Database(DATABASE_FILE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const withBcrypt = {
  hash: (password) => bcrypt.hash(password, Number(BCRYPT_COST)),
  verify: ({ hash, password }) => bcrypt.compare(password, hash),
}

export const auth = betterAuth({
  database,
  baseURL: ORIGIN,
  secret: SECRET,
  emailAndPassword: { enabled: true, ...(BCRYPT_COST && { password: withBcrypt }) },
  rateLimit: { enabled: false },
  logger: { level: 'error' },
  plugins: [passkey({ rpID: 'localhost', rpName: 'Peer', origin: ORIGIN })],
})
