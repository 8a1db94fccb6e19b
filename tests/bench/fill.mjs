// Accounts by the million: copies of one account that the product itself made, by SQL that both databases understand.

/** Names of the copies begin with it. */
const prefix = 'bench-'

/** @param {number} index */
export const nameOf = (index) => `${prefix}${index}`

/** 22 characters like the product's own IDs, spread over the index as random ones are. @param {number} index */
export function idOf(index) {
  const text = Number((BigInt(index) * 2_654_435_761n) % 4_294_967_296n)
    .toString(16)
    .padStart(8, '0')
  return `${text}${text}${text.slice(0, 6)}`
}

/** @param {number} index */
export const passkeyIdOf = (index) => `${idOf(index)}passkey`

const columns = {
  User: '"id", "username", "usernameKey", "passwordHash", "sessionEpoch", "createdAt"',
  Passkey:
    '"id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp", "aaguid", "userVerified", "createdAt", "userHandle"',
  Session: '"id", "userId", "epoch", "method", "browser", "openedAt", "expiresAt"',
  Event: '"id", "userId", "type", "method", "browser", "count", "at", "kind"',
  RecoveryCode: '"hash", "userId"',
  SpentToken: '"id", "expiresAt"',
  RateLimit: '"key", "window", "count", "previous", "expiresAt"',
  FailureStreak: '"key", "count", "expiresAt"',
}

/** Over 88 days. A sign-in a week would make 13, which take an hour to write by the million. */
const events = 4

/**
 * Copies the account `name`, which has a password and one passkey.
 *
 * @param {import('./sql.mjs').Sql} sql
 * @param {string} name
 * @param {number} count
 */
export async function fill(sql, name, count) {
  const x = hexOf(sql.dialect)
  const id = `(${x} || ${x} || substr(${x}, 1, 6))`
  const now = Date.now()
  const day = 86_400_000
  const copy = (/** @type {keyof typeof columns} */ table, /** @type {string} */ values, from = '') =>
    `INSERT INTO "${table}" (${columns[table]}) SELECT ${values} FROM ${series(sql.dialect, count)}${from};`
  const template = `, "User" u WHERE u."usernameKey" = '${name}'`
  const passkey = `, "Passkey" p WHERE p."userId" = (SELECT "id" FROM "User" WHERE "usernameKey" = '${name}')`
  const spread = Math.floor(88 / events)
  const event = (/** @type {number} */ n) => {
    const at = `${now - n * spread * day} - n.i % ${spread} * ${day}`
    return copy('Event', `'${n}' || ${id}, ${id}, 'signed_in', 'pwd', 'Firefox on Windows', 1, ${at}, 'sign_ins'`)
  }
  for (const statement of [
    copy(
      'User',
      `${id}, '${prefix}' || n.i, '${prefix}' || n.i, u."passwordHash", u."sessionEpoch", u."createdAt"`,
      template,
    ),
    copy(
      'Passkey',
      `${id} || 'passkey', ${id}, p."name", p."publicKey", p."counter", p."transports", p."deviceType", p."backedUp", p."aaguid", p."userVerified", p."createdAt", ${id}`,
      passkey,
    ),
    copy('Session', `'s' || ${id}, ${id}, 0, 'pwd', 'Firefox on Windows', ${now}, ${now + 7 * day} - n.i % 600000`),
    ...Array.from({ length: events }, (_, n) => event(n)),
    copy('RecoveryCode', `'c' || ${id}, ${id}`),
    copy('SpentToken', `'t' || ${id}, ${now + 7 * day} - n.i % 600000`),
    // So many that no planner takes them for small tables.
    copy('RateLimit', `'r' || ${id}, 0, 1, 0, ${now + 7 * day}`, ' WHERE n.i % 10 = 0'),
    copy('FailureStreak', `'f' || ${id}, 1, ${now + 7 * day}`, ' WHERE n.i % 10 = 0'),
  ]) {
    await sql.run(statement)
  }
  // As autovacuum does in time; SQLite's planner does without, and the product never asks it to.
  if (sql.dialect === 'postgresql') await sql.run('VACUUM ANALYZE')
}

/** @param {import('./sql.mjs').Sql['dialect']} dialect @param {number} count */
export const series = (dialect, count) =>
  dialect === 'sqlite'
    ? `(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ${count - 1}) SELECT i FROM s) n`
    : `(SELECT i::bigint FROM generate_series(0, ${count - 1}) s(i)) n`

/** As `idOf` begins. @param {import('./sql.mjs').Sql['dialect']} dialect */
export const hexOf = (dialect) =>
  dialect === 'sqlite'
    ? "printf('%08x', (n.i * 2654435761) % 4294967296)"
    : "lpad(to_hex((n.i * 2654435761) % 4294967296), 8, '0')"
