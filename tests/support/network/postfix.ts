import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilConnectable } from '../machine/ports'
import { endProcess, killOnExit } from '../machine/processes'
import { temporaryFolder } from '../machine/temporary-folder'
import { makeCertificate } from './certificate'
import { type Letter, parsed } from './mail-server'

/** A Postfix as operators run one for submission: STARTTLS, and a user with a password who alone may send. */
export interface Postfix {
  port: number
  /** Another port of it, without TLS */
  portInClear: number
  /** The authority of its certificate */
  authorityFile: string
  setPassword(password: string): void
  /** What has been delivered, in no order */
  letters(): Letter[]
  stop(): Promise<void>
}

export const postfixUser = 'ada'

/** Its host name, under which Postfix keeps the user */
const realm = 'mail.example.com'

/** This machine in a form that Latchkey takes for another one, to which nothing goes in clear. */
export const postfixHost = '::ffff:127.0.0.1'

const idOf = (flag: '-u' | '-g') => execFileSync('id', [flag, 'postfix'], { encoding: 'utf8' }).trim()

const mainConfig = (folder: string, { certFile, keyFile }: { certFile: string; keyFile: string }) => `
compatibility_level = 3.6
myhostname = ${realm}
mydestination =
mynetworks =
inet_protocols = ipv4
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file_prefixes = ${folder}
maillog_file = ${folder}/data/log
alias_maps =
virtual_mailbox_domains = example.com
virtual_mailbox_base = ${folder}/box
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:${idOf('-u')}
virtual_gid_maps = static:${idOf('-g')}
virtual_minimum_uid = 1
smtpd_peername_lookup = no
smtpd_tls_cert_file = ${certFile}
smtpd_tls_key_file = ${keyFile}
smtpd_tls_security_level = encrypt
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
`

const services = (port: number, portInClear: number) => `
127.0.0.1:${port} inet n - n - - smtpd
127.0.0.1:${portInClear} inet n - n - - smtpd -o smtpd_tls_security_level=none
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`

/** Runs in a folder of its own, on this machine's address alone, and delivers to that folder. */
export async function startPostfix(password: string): Promise<Postfix> {
  const folder = temporaryFolder('postfix')
  // Its parts run as the user postfix.
  chmodSync(folder, 0o755)
  const within = (...names: string[]) => join(folder, ...names)
  for (const name of ['conf/sasl', 'queue', 'data', 'box']) mkdirSync(within(name), { recursive: true })
  const authority = makeCertificate(folder, ['authority.example'])
  const [port, portInClear] = [await freePort(), await freePort()]
  writeFileSync(within('conf/main.cf'), mainConfig(folder, makeCertificate(folder, [postfixHost], authority)))
  writeFileSync(within('conf/master.cf'), services(port, portInClear))
  const users = within('conf/sasl/users')
  writeFileSync(
    within('conf/sasl/smtpd.conf'),
    `pwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: ${users}\nmech_list: PLAIN LOGIN\n`,
  )
  const setPassword = (password: string) =>
    execFileSync('saslpasswd2', ['-p', '-c', '-f', users, '-u', realm, postfixUser], { input: `${password}\n` })
  setPassword(password)
  for (const path of [users, within('data'), within('box')]) execFileSync('chown', ['postfix', path])
  // Makes the queue; it is what `postfix start-fg` does before it starts the same program as a child of its own.
  execFileSync('postfix', ['-c', within('conf'), 'check'], { stdio: 'ignore' })
  const programs = execFileSync('postconf', ['-c', within('conf'), '-h', 'daemon_directory'], { encoding: 'utf8' })
  const env = { ...process.env, MAIL_CONFIG: within('conf') }
  const child = spawn(join(programs.trim(), 'master'), ['-s'], { env, stdio: 'ignore' })
  killOnExit(child)
  await untilConnectable(port, child).catch((error) => {
    throw new Error(`${error.message}\n${readFileSync(within('data/log'), 'utf8')}`)
  })
  const delivered = within('box/all/new')
  return {
    port,
    portInClear,
    authorityFile: authority.certFile,
    setPassword,
    letters() {
      const files = readdirSync(within('box')).includes('all') ? readdirSync(delivered) : []
      return files.map((name) => {
        const raw = readFileSync(join(delivered, name), 'utf8').replaceAll('\n', '\r\n')
        const [, to = ''] = /^Delivered-To: (.*)\r$/m.exec(raw) ?? []
        return parsed(raw, { from: '', to, session: '' })
      })
    },
    stop: () => endProcess(child, 'SIGTERM'),
  }
}
