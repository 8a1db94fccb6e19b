import { setImmediate } from 'node:timers/promises'

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
  Identifier: '"key", "userId", "username"',
  Passkey:
    '"id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp", "aaguid", "userVerified", "createdAt", "userHandle"',
  Session: '"id", "userId", "epoch", "method", "browser", "openedAt", "expiresAt"',
  Event: '"id", "userId", "type", "method", "browser", "count", "at", "kind"',
  RecoveryCode: '"hash", "userId"',
  ConsumedToken: '"id", "expiresAt"',
  RateLimit: '"key", "window", "count", "previous", "expiresAt"',
  FailureStreak: '"key", "count", "expiresAt"',
  Membership: '"userId", "groupName"',
  Grant: '"id", "userId", "appId", "scopes", "createdAt"',
  Code: '"id", "hash", "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil", "expiresAt"',
  AppSession: '"rootId", "appId", "userId", "expiresAt"',
  Delivery: '"id", "type", "receiver", "payload", "createdAt", "dueAt", "expiresAt"',
  RetiredUsername: '"digest", "expiresAt"',
}

/** The id of the app that every copy uses, and the name of the group that it is in. */
const shared = 'bench'

/** Over 88 days. A sign-in a week would make 13, which take an hour to write by the million. */
const events = 4

/** So many rows take a part of a second, between which the embedded database lets this process do other things. */
const chunk = 20_000

/**
 * Copies the account `name`, which has a password and one passkey.
 *
 * @param {import('./sql.mjs').Sql} sql
 * @param {string} name
 * @param {number} count
 */
export async function fill(sql, name, count) {
  const id = idIn(sql.dialect)
  // In the order of the IDs, or each row would change another page of each index.
  await sql.run(`CREATE TEMP TABLE "place" ("at" INTEGER PRIMARY KEY, "i" BIGINT);
    INSERT INTO "place" SELECT row_number() OVER (ORDER BY ${id}), n.i FROM ${series(sql.dialect, count)}`)
  await sql.run(`INSERT INTO "Group" ("name") VALUES ('${shared}');
    INSERT INTO "App" ("id", "name", "redirectUris") VALUES ('${shared}', '${shared}', 'https://app.example.com/')`)
  for (const { table, values, from = '', where = 'TRUE' } of copiesOf(name, id)) {
    for (let at = 0; at < count; at += chunk) {
      await sql.run(`INSERT INTO "${table}" (${columns[table]}) SELECT ${values} FROM "place" n${from}
        WHERE n."at" > ${at} AND n."at" <= ${at + chunk} AND ${where}`)
      await setImmediate()
    }
  }
  // As autovacuum does in time; SQLite's planner does without, and the product never asks it to.
  if (sql.dialect === 'postgresql') await sql.run('VACUUM ANALYZE')
}

/**
 * @param {string} name of the account
 * @param {string} id in SQL
 * @returns {{ table: keyof typeof columns, values: string, from?: string, where?: string }[]}
 */
function copiesOf(name, id) {
  const now = Date.now()
  const day = 86_400_000
  const expiry = `${now + 7 * day} - n.i % 600000`
  const owner = `(SELECT "id" FROM "User" WHERE "usernameKey" = '${name}')`
  const spread = Math.floor(88 / events)
  const eventsOfAccount = Array.from({ length: events }, (_, n) => {
    const at = `${now - n * spread * day} - n.i % ${spread} * ${day}`
    const values = `'${n}' || ${id}, ${id}, 'signed_in', 'pwd', 'Firefox on Windows', 1, ${at}, 'sign_ins'`
    return { table: /** @type {const} */ ('Event'), values }
  })
  const of = (/** @type {string} */ letter, /** @type {string} */ names) =>
    names.replaceAll(/\w+/g, (column) => `${letter}."${column}"`)
  const kept = of('p', 'name, publicKey, counter, transports, deviceType, backedUp, aaguid, userVerified, createdAt')
  const names = `'${prefix}' || n.i, '${prefix}' || n.i`
  return [
    {
      table: 'User',
      values: `${id}, ${names}, ${of('u', 'passwordHash, sessionEpoch, createdAt')}`,
      from: ', "User" u',
      where: `u."id" = ${owner}`,
    },
    { table: 'Identifier', values: `'${prefix}' || n.i, ${id}, TRUE` },
    {
      table: 'Passkey',
      values: `${id} || 'passkey', ${id}, ${kept}, ${id}`,
      from: ', "Passkey" p',
      where: `p."userId" = ${owner}`,
    },
    { table: 'Session', values: `'s' || ${id}, ${id}, 0, 'pwd', 'Firefox on Windows', ${now}, ${expiry}` },
    ...eventsOfAccount,
    { table: 'RecoveryCode', values: `'c' || ${id}, ${id}` },
    { table: 'ConsumedToken', values: `'t' || ${id}, ${expiry}` },
    // So many that no planner takes them for small tables.
    { table: 'RateLimit', values: `'r' || ${id}, 0, 1, 0, ${now + 7 * day}`, where: 'n.i % 10 = 0' },
    { table: 'FailureStreak', values: `'f' || ${id}, 1, ${now + 7 * day}`, where: 'n.i % 10 = 0' },
    { table: 'RetiredUsername', values: `'d' || ${id}, ${now + 90 * day}`, where: 'n.i % 10 = 0' },
    ...copiesOfApps(id, now, expiry),
  ]
}

/**
 * What comes of a sign-in to an app a person, in their one session.
 *
 * @param {string} id in SQL
 * @param {number} now
 * @param {string} expiry in SQL
 * @returns {{ table: keyof typeof columns, values: string, where?: string }[]}
 */
function copiesOfApps(id, now, expiry) {
  const code = `'https://app.example.com/', 'openid', 'pwd', ${Math.floor(now / 1000)}, ${now}, ${expiry}`
  return [
    { table: 'Membership', values: `${id}, '${shared}'` },
    { table: 'Grant', values: `'g' || ${id}, ${id}, '${shared}', 'openid', ${now}` },
    { table: 'Code', values: `'o' || ${id}, 'h' || ${id}, 'g' || ${id}, 's' || ${id}, ${code}` },
    { table: 'AppSession', values: `'s' || ${id}, '${shared}', ${id}, ${expiry}` },
    // Failed for good: what is due would be sent.
    { table: 'Delivery', values: `'w' || ${id}, 'webhook', '', '{}', ${now}, NULL, ${expiry}`, where: 'n.i % 10 = 0' },
  ]
}

/** Lets a row of each kind expire, so that a sweep has something to remove everywhere. @param {import('./sql.mjs').Sql} sql */
export async function expireSome(sql) {
  for (const [table, key, time] of [
    ['ConsumedToken', 'id', 'expiresAt'],
    ['RateLimit', 'key', 'expiresAt'],
    ['FailureStreak', 'key', 'expiresAt'],
    ['Session', 'id', 'expiresAt'],
    ['Event', 'id', 'at'],
    ['Code', 'id', 'expiresAt'],
    ['Delivery', 'id', 'expiresAt'],
    ['RetiredUsername', 'digest', 'expiresAt'],
  ]) {
    await sql.run(`UPDATE "${table}" SET "${time}" = 1 WHERE "${key}" = (SELECT "${key}" FROM "${table}" LIMIT 1)`)
  }
}

/** @param {import('./sql.mjs').Sql['dialect']} dialect @param {number} count */
export const series = (dialect, count) =>
  dialect === 'sqlite'
    ? `(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ${count - 1}) SELECT i FROM s) n`
    : `(SELECT i::bigint FROM generate_series(0, ${count - 1}) s(i)) n`

/** As `idOf`, of the rows of `series`. @param {import('./sql.mjs').Sql['dialect']} dialect */
export function idIn(dialect) {
  const number = '(n.i * 2654435761) % 4294967296'
  const hex = dialect === 'sqlite' ? `printf('%08x', ${number})` : `lpad(to_hex(${number}), 8, '0')`
  return `(${hex} || ${hex} || substr(${hex}, 1, 6))`
}
