import { resolve } from 'node:path'

/** Whether a DATABASE_URL means the embedded database. */
export const isEmbedded = (databaseUrl: string) => databaseUrl.startsWith('file:')

/** Whether it is a DATABASE_URL that we know what to do with. */
export const isDatabaseUrl = (text: string) =>
  /^file:./.test(text) || (/^postgres(ql)?:/.test(text) && URL.canParse(text))

/** The path of the embedded database, seen from the working directory. */
export const databaseFile = (databaseUrl: string) => resolve(databaseUrl.slice('file:'.length))
