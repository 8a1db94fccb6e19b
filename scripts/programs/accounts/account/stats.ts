import type { Command } from 'commander'
import { readStats, type Stats } from '@/lib/auth/operator/read-stats'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { table } from '../command/table'

export function addStats(program: Command): void {
  addCommand(
    program,
    'stats',
    'counts accounts, ways to sign in, and the sign-ups and sign-ins of the last 30 days',
  ).action(
    perform(async () => {
      const stats = await readStats()
      return { json: stats, text: asText(stats) }
    }),
  )
}

const chartWidth = 40

function asText({ accounts, methods, days }: Stats): string {
  const most = Math.max(1, ...days.map(({ signIns }) => signIns))
  const rows = days.map(({ day, signUps, signIns }) => [
    day,
    `${signUps}`,
    `${signIns}`,
    '#'.repeat(Math.ceil((signIns / most) * chartWidth)),
  ])
  const totals = table([
    ['Accounts', `${accounts}`],
    ['  with a password', `${methods.pwd}`],
    ['  with a passkey', `${methods.passkey}`],
    ['  with recovery codes', `${methods.recovery}`],
  ])
  return `${totals}\n\n${table([['DAY (UTC)', 'SIGN-UPS', 'SIGN-INS', ''], ...rows])}`
}
