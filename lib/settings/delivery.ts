import * as z from 'zod'
import { addFault, entriesOf } from './fields'
import { httpUrl } from './origins'

const prefix = 'whsec_'
/** Standard Webhooks, "Symmetric signatures": 192 bits */
const minKeyBytes = 24
const generate = 'generate one with: echo "whsec_$(openssl rand -base64 32)"'
const minCronCharacters = 16

function webhookUrl(text: string, context: z.core.$RefinementCtx): string {
  const url = httpUrl(text)
  if (url === null) context.addIssue('must be a URL such as https://app.example.com/hooks')
  else if (url.username !== '' || url.password !== '')
    context.addIssue('must have no user or password in it; the receiver verifies the signature instead')
  return text
}

/** Reads the bytes of the secret that signs webhooks, or of two while a new one replaces the old. */
function webhookSecrets(text: string, context: z.core.$RefinementCtx): Buffer[] {
  const secrets = entriesOf(text)
  if (secrets.length > 2) context.addIssue('must be one secret, or two separated by a comma while one is replaced')
  const keys = secrets.map(keyOf)
  if (keys.includes(null))
    context.addIssue(`must be ${prefix} and at least ${minKeyBytes} bytes in base64; ${generate}`)
  return keys.filter((key) => key !== null)
}

function keyOf(secret: string): Buffer | null {
  const base64 = secret.slice(prefix.length)
  const key = Buffer.from(base64, 'base64')
  const isCanonical = key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '')
  return secret.startsWith(prefix) && isCanonical && key.length >= minKeyBytes ? key : null
}

export const deliverySchema = z
  .object({
    WEBHOOK_URL: z.string().trim().transform(webhookUrl).optional(),
    WEBHOOK_SECRET: z.string().transform(webhookSecrets).optional(),
    CRON_SECRET: z
      .string()
      .refine((text) => text.length >= minCronCharacters && !/\s/.test(text), {
        error: `must be at least ${minCronCharacters} characters without spaces; generate one with: openssl rand -base64 32`,
      })
      .optional(),
  })
  .transform(({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, CRON_SECRET }, context) => {
    if (url !== undefined && secrets === undefined)
      addFault(context, 'WEBHOOK_SECRET', `must be set with WEBHOOK_URL, or anybody could write to it; ${generate}`)
    return {
      /** Null: nobody gets webhooks. */
      webhooks: url === undefined || secrets === undefined ? null : { url, secrets },
      /** Undefined: nobody may call `/api/deliver`, or on Vercel anybody, once an hour. */
      cronSecret: CRON_SECRET,
    }
  })
