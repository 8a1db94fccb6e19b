import type { Command } from 'commander'
import { isApiError } from '@/lib/api/errors'
import { areas, type LogEntry, type OperatorKey } from '@/lib/api/schemas'
import type { UndeliveredMessage } from '@/lib/delivery/outbox'
import { rotateKeys } from '@/lib/openid/tokens/signing-keys'
import { counted } from '../../support/command-line.mjs'
import { addCommand, type CommonOptions, perform, readCount } from './command'
import { farServer } from './far'
import { findIfThere, operate, pagesOf, unlessThere } from './operate'
import { CommandError, table } from './terminal'

interface LogOptions {
  account?: string
  by?: string
  app?: string
  limit?: number
  after?: string
}

export function addLog(program: Command): void {
  addCommand(program, 'log', 'shows what operators did in the last 400 days, newest first')
    .option('--account <account>', 'only about this account: its ID or username')
    .option('--app <app>', 'only about this app: its ID')
    .option('--by <operator>', "only of this operator: an administrator's ID, or key: and the name of a key")
    .option('--limit <n>', 'how many at most, 200 at once', readCount)
    .option('--after <after>', 'the page after the one that --json gave this as "after"')
    .action(
      perform(async ({ account, by, app, limit, after }: LogOptions) => {
        const found = account === undefined ? null : await findIfThere({ username: account })
        // It may be the id of an account that is deleted.
        const log = await operate('/log', { by, app, limit, after, account: found?.id ?? account })
        return { json: log, text: logText(log.log) }
      }),
    )
}

const logText = (log: LogEntry[]) =>
  table([
    ['AT', 'BY', 'WHAT', 'ABOUT'],
    ...log.map(({ at, by, what, account, app, group }) => [
      at,
      by ?? 'a command',
      what,
      [account, app, group].filter((one) => one !== null).join(' '),
    ]),
  ])

interface KeyOptions {
  for: string
  readOnly?: true
  expires?: string
}

export function addKeys(program: Command): void {
  const group = program.command('key').description('manages the keys with which programs act as operators')
  addCommand(group, 'add', 'makes a key, and prints it once')
    .argument('<name>', '1 to 64 of a-z, 0-9 and . _ -')
    .requiredOption(
      '--for <areas>',
      `what it may do, separated by commas: ${areas.join(', ')}, or all of them but trust: all`,
    )
    .option('--read-only', 'it only reads')
    .option('--expires <duration>', 'how long it is valid, from 1h to 366d, or never; 90d without it')
    .action(
      perform(async ({ for: given, readOnly, expires }: KeyOptions, name: string) => {
        const body = { name, areas: given.split(',').map((area) => area.trim()), readOnly, expires: expires?.trim() }
        for (const area of body.areas)
          if (!([...areas, 'all'] as string[]).includes(area))
            throw new CommandError(`There is no area ${JSON.stringify(area)}. There are: ${areas.join(', ')}, all.`, 2)
        const added = await operate('/keys/add', body).catch((error: unknown) => {
          if (isApiError(error) && error.details.fields?.expires)
            throw new CommandError('--expires must be from 1h to 366d, such as 90d, or never.', 2)
          throw error
        })
        return { json: added, text: added.secret }
      }),
    )
  addCommand(group, 'list', 'lists the keys').action(
    perform(async () => {
      const listed = await operate('/keys', {})
      return { json: listed, text: keysText(listed.keys) }
    }),
  )
  addCommand(group, 'delete', 'deletes a key, which stops at once')
    .argument('<name>', 'as "list" shows it')
    .action(
      perform(async (_, name: string) => {
        const { keys } = await operate('/keys', {})
        const key = keys.find((one) => one.name === name)
        const missing = () => new CommandError(`There is no key ${JSON.stringify(name)}.`)
        if (!key) throw missing()
        await operate('/keys/delete', { name }).catch(unlessThere(missing))
        return { json: { key }, text: `The key ${name} is deleted.` }
      }),
    )
}

/** What ends when these accounts are no administrators any more, in words; null for nothing. Nobody from afar can end it. */
export async function madeByAdministrators(ids: string[]): Promise<string | null> {
  if (farServer()) return null
  const { keys } = await operate('/keys', {})
  const names = keys.filter(({ by }) => by !== null && ids.includes(by)).map(({ name }) => name)
  let invitations = 0
  for await (const page of pagesOf((place) => operate('/invitations', place)))
    invitations += page.invitations.filter(({ by }) => by !== null && ids.includes(by)).length
  const parts = [
    ...(names.length > 0 ? [`the keys ${names.join(', ')}`] : []),
    ...(invitations > 0 ? [counted(invitations, 'invitation')] : []),
  ]
  return parts.length > 0 ? `Ended, since they made them: ${parts.join(' and ')}.` : null
}

const keysText = (keys: OperatorKey[]) =>
  table([
    ['NAME', 'AREAS', '', 'EXPIRES', 'LAST USED', 'MADE BY'],
    ...keys.map(({ name, areas: all, readOnly, expiresAt, lastUsedAt, by }) => [
      name,
      all.join(','),
      readOnly ? 'read-only' : '',
      expiresAt ?? 'never',
      lastUsedAt ?? 'never',
      by ?? 'a command',
    ]),
  ])

export function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('lists and retries deliveries that have not arrived')
  addCommand(deliveries, 'list', 'lists deliveries that wait or have failed', { isDefault: true }).action(
    perform(
      async () => {
        const deliveries: UndeliveredMessage[] = []
        for await (const page of pagesOf((place) => operate('/deliveries', place))) deliveries.push(...page.deliveries)
        return { json: { deliveries }, text: deliveriesText(deliveries) }
      },
      { fromAfar: 'reads' },
    ),
  )
  addCommand(deliveries, 'retry', 'retries a delivery at once, and sends to its receiver again')
    .argument('<id>', 'the ID that "list" shows')
    .action(
      perform(
        async (_, id: string) => {
          const { delivery } = await operate('/deliveries/retry', { id }).catch(
            unlessThere(
              () =>
                new CommandError(
                  `There is no delivery ${JSON.stringify(id)}. It may have arrived; "deliveries list" has those that wait.`,
                ),
            ),
          )
          return {
            json: { delivery },
            text: `${delivery.type} to ${delivery.receiver} is due now. A running server sends it.`,
          }
        },
        { fromAfar: 'changes' },
      ),
    )
}

function deliveriesText(deliveries: UndeliveredMessage[]): string {
  if (deliveries.length === 0) return 'No delivery waits, and none has failed.'
  return table([['ID', 'TYPE', 'RECEIVER', 'ACCOUNT', 'ATTEMPTS', 'NEXT', 'ERROR'], ...deliveries.map(deliveryRow)])
}

const deliveryRow = ({ id, type, receiver, account, attempts, nextAt, error }: UndeliveredMessage) => [
  id,
  type,
  receiver,
  account ?? '',
  `${attempts}`,
  nextAt ?? 'failed',
  error ?? '',
]

export function addSigningKey(program: Command): void {
  const group = program.command('signing-key').description('manages the key that signs the tokens of apps')
  addCommand(group, 'rotate', 'creates and publishes the next key, which signs after 24 hours')
    .option('--now', 'for a leaked key: sign with the next one at once, and stop publishing the old one')
    .action(perform(rotate))
}

async function rotate({ now = false }: CommonOptions & { now?: boolean }) {
  const made = await rotateKeys({ atOnce: now })
  if (!made) throw new CommandError('Another command has just made the next key. Nothing was changed.')
  const signsFrom = new Date(made.signsFrom).toISOString()
  return { json: { kid: made.kid, signsFrom }, text: `The key ${made.kid} signs from ${signsFrom} on.` }
}
