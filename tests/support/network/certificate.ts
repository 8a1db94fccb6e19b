import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'

export interface Certificate {
  pem: string
  certFile: string
  keyFile: string
  /** The SHA-256 of its public key, by which Chromium takes it for good: WebAuthn is off after a certificate error. */
  pin: string
}

/** Makes a certificate of a day for these hosts and IP addresses, with openssl: signed by `authority`, or by itself. */
export function makeCertificate(folder: string, hosts: string[], authority?: Certificate): Certificate {
  const name = authority ? 'signed' : 'own'
  const [certFile, keyFile] = [join(folder, `${name}-cert.pem`), join(folder, `${name}-key.pem`)]
  const nameOf = (host: string) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`
  const names = `subjectAltName=${hosts.map(nameOf).join(',')}`
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const words = ['req', '-x509', ...curve, '-subj', '/CN=test', '-addext', names]
  if (authority) words.push('-CA', authority.certFile, '-CAkey', authority.keyFile)
  execFileSync('openssl', [...words, '-keyout', keyFile, '-out', certFile], { stdio: 'pipe' })
  const pem = readFileSync(certFile, 'utf8')
  const key = new X509Certificate(pem).publicKey.export({ format: 'der', type: 'spki' })
  return { pem, certFile, keyFile, pin: createHash('sha256').update(key).digest('base64') }
}
