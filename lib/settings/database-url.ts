import { resolve } from 'node:path'
import { z } from 'zod'
import { addFault } from './fault'

/** Whether a DATABASE_URL names the embedded database. */
export const isEmbedded = (databaseUrl: string) => databaseUrl.startsWith('file:')

/** The absolute path of the embedded database; a relative URL starts at the working directory. */
export const databaseFile = (databaseUrl: string) => resolve(databaseUrl.slice('file:'.length))

const isDatabaseUrl = (text: string) => /^file:./.test(text) || (/^postgres(ql)?:/.test(text) && URL.canParse(text))

export const databaseSchema = z
  .object({
    DATABASE_URL: z
      .string()
      .default('file:./data/latchkey.db')
      .refine(
        isDatabaseUrl,
        'must be file:PATH, such as file:./data/latchkey.db, or postgresql://USER:PASSWORD@HOST/DATABASE',
      ),
    BACKEND_URL: z.string().optional(),
    VERCEL: z.string().optional(),
  })
  .transform((given, context) => {
    if (given.VERCEL && !given.BACKEND_URL && isEmbedded(given.DATABASE_URL)) {
      const right = 'must be postgresql://USER:PASSWORD@HOST/DATABASE on Vercel, which keeps no files between requests'
      addFault(context, 'DATABASE_URL', right)
    }
    return {
      databaseUrl: given.DATABASE_URL,
      /** False on Vercel, where the build migrates so that cold starts stay fast. */
      migratesAtStart: !given.VERCEL,
    }
  })
