import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { readEnvFiles } from '@/lib/settings/env-files.mjs'
import { settingNames, unknownSettings } from '@/lib/settings/settings'
import { temporaryFolder } from '../../support/machine/temporary-folder'

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder('env-files')
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

test('a file of settings says what it says to node --env-file: a dollar sign stands for itself', () => {
  const lines = [
    "A='one$Er2two$$x'",
    'B="$A"',
    'C=$HOME',
    'D=a#b',
    'E="two\\nlines"',
    'export F=x ',
    'G=',
    'H=\'with "quotes"\'',
    'I=\\$A',
  ]
  const content = `\uFEFF${lines.join('\r\n')}\r\n`
  const folder = folderWith({ '.env': content, 'plain.env': content.slice(1) })
  const names = [...'ABCDEFGHI']
  const print = `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name])))`
  const byNode = execFileSync(process.execPath, ['--env-file=plain.env', '-e', print], {
    cwd: folder,
    env: {} as NodeJS.ProcessEnv,
  })
  const ours = readEnvFiles(folder)
  expect(names.map((name) => ours[name])).toEqual(JSON.parse(byNode.toString()))
  expect(ours).toMatchObject({ A: 'one$Er2two$$x', B: '$A', C: '$HOME' })
})

test('of several files of settings the more specific one wins, and none is needed', () => {
  const order = ['.env.production.local', '.env.local', '.env.production', '.env']
  for (let first = 0; first < order.length; first += 1) {
    const files = Object.fromEntries(order.slice(first).map((name) => [name, `A=${name}\nIN_${name.length}=1\n`]))
    expect(readEnvFiles(folderWith(files))).toMatchObject({ A: order[first], IN_4: '1' })
  }
  expect(readEnvFiles(folderWith({}))).toEqual({})
})

test('a name that is one letter from a setting is named, and one in our files that begins like ours', () => {
  const folder = folderWith({ '.env': 'SMTP_HOST=x\nLATCHKEY_LOG=1\nPASSWORD_MIN=9\nTERMS_URL=https://x.example\n' })
  const environment = {
    SIGNUP: '1',
    SING_UP: '1',
    SIGN_UPP: '1',
    SIGN_UP: 'open',
    SIGN_IP: '1',
    APP_ORIGINS: '1',
    HOSTNAME: '1',
    PORTS: '1',
    SMTP_PORT: '1',
    PASSWORD: '1',
    KV_URL: '1',
    POSTGRES_URL: '1',
    DATABASE_URL_UNPOOLED: '1',
    KV_REST_API_READ_ONLY_TOKEN: '1',
  }
  const named = unknownSettings(folder, environment)
  expect(named.map((line) => line.split(' ')[0])).toEqual([
    'APP_ORIGINS',
    'LATCHKEY_LOG',
    'PASSWORD',
    'PASSWORD_MIN',
    'SIGNUP',
    'SIGN_IP',
    'SIGN_UPP',
    'SING_UP',
    'SMTP_HOST',
  ])
  expect(named).toContain('SIGNUP is no setting, and ignored; SIGN_UP is one')
  expect(unknownSettings(folderWith({}), Object.fromEntries(settingNames().map((name) => [name, '1'])))).toEqual([])
})
