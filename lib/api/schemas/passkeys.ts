import * as z from 'zod'
import { limits } from '../limits'
import { credentialId, fieldError, isVisible, time } from './fields'

/**
 * PostgreSQL rejects NUL in text, and some SQLite drivers stop reading at it. The others turn or break the line that shows
 * the name. Joiners and tags stay: emoji are made of them.
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

export const renamePasskeyInput = z.object({
  id: credentialId,
  name: z
    .string({ error: fieldError({ key: 'passkey_name_missing' }) })
    .trim()
    .min(1, fieldError({ key: 'passkey_name_missing' }))
    .max(limits.passkeyName, fieldError({ key: 'too_long', max: limits.passkeyName }))
    .refine(
      (text) => text.isWellFormed() && !controls.test(text),
      fieldError({ key: 'passkey_name_control_characters' }),
    )
    .refine((text) => text === '' || isVisible(text), fieldError({ key: 'passkey_name_missing' })),
})
export const removePasskeyInput = z.object({ id: credentialId })

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Who keeps it, where that is known. */
  provider: z.string().nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  backedUp: z.boolean(),
  deviceType: z.enum(['singleDevice', 'multiDevice']),
  transports: z.array(z.string()),
})
export type Passkey = z.infer<typeof passkey>
