import * as z from 'zod'
import { limits } from '../limits'
import { credentialId, fieldError, isPlainLine, isVisible, time } from './fields'

export const renamePasskeyInput = z.object({
  id: credentialId,
  name: z
    .string({ error: fieldError({ key: 'name_missing' }) })
    .trim()
    .min(1, fieldError({ key: 'name_missing' }))
    .max(limits.passkeyName, fieldError({ key: 'too_long', max: limits.passkeyName }))
    .refine(isPlainLine, fieldError({ key: 'name_control_characters' }))
    .refine((text) => text === '' || isVisible(text), fieldError({ key: 'name_missing' })),
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
