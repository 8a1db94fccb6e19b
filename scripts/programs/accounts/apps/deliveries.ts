import type { Command } from 'commander'
import { listDeliveries, retryDelivery, type UndeliveredMessage } from '@/lib/delivery/undelivered'
import { CommandError } from '../command/command-error'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { table } from '../command/table'

export function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('lists and retries deliveries that have not arrived')
  addCommand(deliveries, 'list', 'lists deliveries that wait or have failed', { isDefault: true }).action(
    perform(async () => {
      const deliveries = await listDeliveries()
      return { json: { deliveries }, text: asText(deliveries) }
    }),
  )
  addCommand(deliveries, 'retry', 'retries a delivery at once, and sends to its receiver again')
    .argument('<id>', 'the ID that "list" shows')
    .action(
      perform(async (_, id: string) => {
        const delivery = await retryDelivery(id)
        if (!delivery)
          throw new CommandError(
            `There is no delivery ${JSON.stringify(id)}. It may have arrived; "deliveries list" has those that wait.`,
          )
        return {
          json: { delivery },
          text: `${delivery.type} to ${delivery.receiver} is due now. A running server sends it.`,
        }
      }),
    )
}

function asText(deliveries: UndeliveredMessage[]): string {
  if (deliveries.length === 0) return 'No delivery waits, and none has failed.'
  return table([['ID', 'TYPE', 'RECEIVER', 'ACCOUNT', 'ATTEMPTS', 'NEXT', 'ERROR'], ...deliveries.map(rowOf)])
}

const rowOf = ({ id, type, receiver, account, attempts, nextAt, error }: UndeliveredMessage) => [
  id,
  type,
  receiver,
  account ?? '',
  `${attempts}`,
  nextAt ?? 'failed',
  error ?? '',
]
