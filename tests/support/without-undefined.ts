/** The entries that have a value: how callers remove a parameter, a header, a claim or a setting. */
export const withoutUndefined = <T>(values: Record<string, T | undefined>) =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined))
