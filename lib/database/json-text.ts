import { type Fragment, sql } from './fragments'

/*
 * SQL that makes JSON text, for which the databases have no function in common. Ids, usernames, e-mail addresses and names of
 * groups have nothing to escape.
 */

/** A display name, which has no control characters. */
export const jsonEscaped = (text: Fragment): Fragment => sql`
  replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`

export const jsonText = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

export const jsonTextOrNull = (text: Fragment): Fragment => sql`COALESCE(${jsonText(text)}, 'null')`

/** A value from outside the database, escaped if need be. */
export const jsonOf = (text: string | null): Fragment => sql`CAST(${JSON.stringify(text)} AS TEXT)`

/** @param rows a SELECT of `text` */
export const jsonArray = (rows: Fragment): Fragment => sql`
  '[' || COALESCE((SELECT '"' || string_agg(n."text", '","') || '"' FROM (${rows}) n), '') || ']'`

/** @param members by name, the JSON text of each */
export function jsonObject(members: Record<string, Fragment>): Fragment {
  const [first, ...rest] = Object.entries(members).map(([name, json]) => sql`${JSON.stringify(name)} || ':' || ${json}`)
  return sql`'{' || ${rest.reduce((text, member) => sql`${text} || ',' || ${member}`, first ?? sql`''`)} || '}'`
}
