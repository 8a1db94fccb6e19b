/** https://www.sqlite.org/rescode.html */
export const resultCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  foreignKeyConstraint: 787,
  ioErrorOfFsync: 1034,
  notNullConstraint: 1299,
  primaryKeyConstraint: 1555,
  triggerConstraint: 1811,
  uniqueConstraint: 2067,
} as const

/** The low byte of an extended code. */
export const primaryCode = (code: number): number => code & 0xff
