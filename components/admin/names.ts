/** Names by id. An id may be that of a property of every object, such as `constructor`. */
export const nameOf = (names: Record<string, string>, id: string): string | undefined =>
  Object.hasOwn(names, id) ? names[id] : undefined

/** @param by as the operators' log has it: an administrator's id, or `key:` and the name of a key */
export const operatorName = (usernames: Record<string, string>, by: string): string =>
  nameOf(usernames, by) ?? by.replace(/^key:/, '')
