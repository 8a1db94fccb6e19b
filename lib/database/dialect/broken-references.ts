/** What `findDamage` says of rows that refer to a row of another table which does not exist. */
export const brokenReferences = (count: number, table: string, parent: string) =>
  `${count} ${count === 1 ? 'row of' : 'rows of'} ${table} ${count === 1 ? 'refers' : 'refer'} to a row of ${parent} that does not exist.`
