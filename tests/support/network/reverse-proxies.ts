import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilConnectable } from '../machine/ports'
import { endProcess, killOnExit } from '../machine/processes'
import { findProgram } from '../machine/programs'
import { temporaryFolder } from '../machine/temporary-folder'
import { DOMAIN } from '../your-app/sibling-apps'
import { type Certificate, makeCertificate } from './certificate'
import { exchange, rawRequest } from './raw-http'

export type ProxyName = 'nginx' | 'caddy'

export interface ReverseProxy {
  readonly port: number
  readonly certificate: Certificate
  /** Sends a request unchanged, and returns the whole response. */
  ask(host: string, method: string, target: string, headers?: Record<string, string>, body?: string): Promise<string>
  stop(): Promise<void>
}

interface Ports {
  https: number
  latchkey: number
  app: number
  /** Of forward-auth's address */
  query: string
  preflights: boolean
}

/**
 * Runs the configuration of tests/your-app, which docs/your-app/reverse-proxy.md quotes, with the ports and the certificate of
 * this test.
 *
 * @param groups who may use the app, as the document says to write it
 * @param preflights whether those of browsers pass, as the document says to write it
 */
export async function startProxy(
  name: ProxyName,
  latchkey: number,
  app: number,
  groups: string[] = [],
  preflights = false,
): Promise<ReverseProxy> {
  const folder = temporaryFolder(name)
  const certificate = makeCertificate(folder, [`*.${DOMAIN}`])
  const query = groups.length > 0 ? `?${groups.map((group) => `group=${group}`).join('&')}` : ''
  const ports = { https: await freePort(), latchkey, app, query, preflights }
  const child = launch[name](folder, certificate, ports)
  killOnExit(child)
  let output = ''
  child.stderr?.on('data', (chunk) => (output += chunk))
  await untilConnectable(ports.https, child).catch((error) => {
    throw new Error(`${error.message}\n${output}`)
  })
  return {
    port: ports.https,
    certificate,
    ask: (host, method, target, headers, body) =>
      exchange(ports.https, rawRequest(method, target, { Host: host, ...headers }, body), {
        tls: { servername: host, ca: certificate.pem },
      }),
    stop: () => endProcess(child, 'SIGTERM'),
  }
}

const fileOf = (name: string) => readFileSync(join('tests/your-app', name), 'utf8')

/** Where a line of a configuration is replaced by what lets preflights pass. */
const preflightsAt = {
  'nginx.conf': ['        internal;\n', 'preflight-nginx.conf'],
  Caddyfile: ['\t\tforward_auth 127.0.0.1:3000 {\n', 'preflight-caddy'],
} as const

const textOf = (file: keyof typeof preflightsAt, preflights: boolean) => {
  const [line, part] = preflightsAt[file]
  return preflights ? fileOf(file).replace(line, () => fileOf(part)) : fileOf(file)
}

const read = (file: keyof typeof preflightsAt, { latchkey, app, query, preflights }: Ports) =>
  textOf(file, preflights)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${latchkey}`)
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${app}`)
    .replace(/(?<=\/api\/forward-auth)\??/g, (mark) => query || mark)

const launch: Record<ProxyName, (folder: string, certificate: Certificate, ports: Ports) => ChildProcess> = {
  nginx(folder, { certFile, keyFile }, ports) {
    const sites = read('nginx.conf', ports)
      .replaceAll('listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`)
      .replaceAll('/etc/ssl/example.com.crt', certFile)
      .replaceAll('/etc/ssl/example.com.key', keyFile)
    // One process, which runs as whoever runs the tests and writes only below the folder.
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${what};`)
    const main = `daemon off; master_process off; pid pid; events {} http { access_log off; ${temporary.join(' ')} include sites; }`
    writeFileSync(join(folder, 'sites'), sites)
    writeFileSync(join(folder, 'main'), main)
    return spawn(findProgram('nginx') ?? 'nginx', ['-p', folder, '-c', 'main', '-e', 'stderr'])
  },
  caddy(folder, { certFile, keyFile }, ports) {
    const sites = read('Caddyfile', ports).replace(/^\S+ \{$/gm, `$&\n\ttls ${certFile} ${keyFile}`)
    const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\thttps_port ${ports.https}\n}\n\n`
    writeFileSync(join(folder, 'Caddyfile'), options + sites)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return spawn(findProgram('caddy') ?? 'caddy', ['run', '--config', join(folder, 'Caddyfile')], { env })
  },
}
