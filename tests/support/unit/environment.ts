import { join } from 'node:path'
import { temporaryFolder } from '../machine/temporary-folder'
import { JWT_SECRET } from '../secret'

/**
 * Settings for tests that call the product's modules in this process: import it first. Settings are read once per process,
 * so that all unit tests of a worker share one database.
 */
process.env.DATABASE_URL = `file:${join(temporaryFolder('unit'), 'latchkey.db')}`
process.env.JWT_SECRET = JWT_SECRET
process.env.BCRYPT_COST = '10'
process.env.CLIENT_ORIGINS = 'https://app.example.com,capacitor://localhost,http://localhost:5173'
process.env.HOME_URL = 'https://home.example.com/start'
