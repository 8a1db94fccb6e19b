import { lookup } from 'node:dns/promises'
import { emailAddress } from '@/lib/api/schemas'
import { letterLocale } from '@/lib/auth/events/letters'
import { tryReceiver } from '@/lib/auth/events/webhooks'
import { commandOperator } from '@/lib/auth/operator/operator'
import { tryMail } from '@/lib/delivery/letters'
import { fetchForStranger } from '@/lib/delivery/receiver'
import { isReceiverError } from '@/lib/delivery/senders'
import { listApis } from '@/lib/openid/apps/api'
import type { App } from '@/lib/openid/apps/app'
import { listApps } from '@/lib/openid/apps/find'
import { isOnDevice } from '@/lib/openid/apps/redirect-uris'
import { isNamedHost } from '@/lib/openid/apps/spec'
import { applyFile } from '@/lib/openid/file/apply'
import { changesText } from '@/lib/openid/file/changes'
import { FileError } from '@/lib/openid/file/json'
import { readAppFile } from '@/lib/openid/file/read'
import { holdsWithin } from '@/lib/process/work'
import { inClearWarning, isSentInClear } from '@/lib/settings/deployment'
import { type Settings, variable } from '@/lib/settings/settings'
import { type Finding, fail, ok, warn } from './finding'

export const checkBackendUrl = ({ backendUrl }: Settings): Finding[] =>
  backendUrl && isSentInClear(backendUrl) ? [warn(inClearWarning(backendUrl))] : []

/** Cannot compare the two JWT_SECRETs; if they differ, the first sign-in fails and the log says so. */
export async function checkBackend({ backendUrl, origins }: Settings): Promise<Finding[]> {
  if (!backendUrl) return []
  const request = fetch(new URL('/api/health', backendUrl), { signal: AbortSignal.timeout(5_000) })
  const response = await request.catch(() => {
    throw new Error(`${backendUrl} cannot be reached; check BACKEND_URL and whether the backend is running`)
  })
  if (!response.ok) throw new Error(`${backendUrl} answered /api/health with ${response.status}`)
  return [ok(`${backendUrl} is healthy; it must have the same JWT_SECRET and APP_ORIGIN=${origins[0]}`)]
}

/** Sends the receiver one event, of a type that is used for nothing else. */
export async function checkWebhooks({ webhooks }: Settings): Promise<Finding[]> {
  const findings: Finding[] = []
  if (!webhooks) return findings
  const status = await tryReceiver().catch((error: unknown) => {
    throw isReceiverError(error) ? new Error(`WEBHOOK_URL: ${error.message}`) : error
  })
  if (status >= 200 && status < 300)
    findings.push(ok(`the receiver answered ${status} to an event of the type webhook.test`))
  else findings.push(fail(`the receiver answered ${status}${hintOf(status)}; check WEBHOOK_URL`))
  if (webhooks.secrets.length > 1)
    findings.push(ok('two secrets sign; when the receiver has the new one, remove the other from WEBHOOK_SECRET'))
  return findings
}

/** Sends a letter if somebody asks for one. */
export async function checkMail({ mail, offersMail, backendUrl }: Settings, to: string | null): Promise<Finding[]> {
  if (!mail) {
    if (to !== null) return [fail('SMTP_URL and MAIL_FROM are not set, so no letter can be sent')]
    return offersMail && backendUrl ? [ok('pages offer what needs letters; the backend must have SMTP_URL')] : []
  }
  const { host, port, isTls, requiresTls } = mail.server
  const way = isTls ? 'TLS' : requiresTls ? 'STARTTLS' : 'STARTTLS if it is offered'
  const server = `${host}:${port} (${way})`
  if (to === null) return [ok(`letters from ${mail.from.address} go to ${server}; --mail <address> sends one to try`)]
  const { data: address } = emailAddress.safeParse(to)
  if (address === undefined) return [fail(`--mail takes one e-mail address; ${JSON.stringify(to)} is none`)]
  const failure = await tryMail(address, letterLocale(null))
  if (failure === null) return [ok(`${server} took a letter to ${address}; see whether it arrives`)]
  return [fail(`${server}: ${failure.error}${failure.fault === null ? '' : mailHints[failure.fault]}`)]
}

const mailHints = {
  starttls: ', so it offers no STARTTLS: smtps://, or another port, may',
  password: ', so it does not know the user and password in SMTP_URL',
  address: ', so it does not take letters from MAIL_FROM, or to this address',
  certificate: '; NODE_EXTRA_CA_CERTS adds an authority of your own',
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ', so it may have another secret than WEBHOOK_SECRET'
  if (status === 410) return ', which ends webhooks'
  return status >= 300 && status < 400 ? ', and redirects are not followed' : ''
}

/** Reports settings for other apps that do not fit together. */
export function checkListedApps({
  clientOrigins,
  accessCookie,
  androidApps,
  appleApps,
  passkeyOrigins,
}: Settings): Finding[] {
  const named = [...clientOrigins, ...androidApps.map(({ packageName }) => packageName), ...appleApps]
  const hashes = androidApps.flatMap(({ fingerprints }) => fingerprints.map(apkKeyHash))
  const unnamed = passkeyOrigins.filter((origin) => origin.startsWith('android:') && !hashes.includes(origin))
  const findings = named.length > 0 ? [ok(named.join(', '))] : []
  if (accessCookie?.origins.length === 0)
    findings.push(
      warn(`ACCESS_COOKIE_DOMAIN helps no app: CLIENT_ORIGINS names no https origin under ${accessCookie.domain}`),
    )
  for (const origin of unnamed)
    findings.push(
      warn(`${origin} is in APP_ORIGIN, but ANDROID_APPS has no app with that key, so Android gives it no passkeys`),
    )
  return findings
}

/** The origin that Android derives from a certificate's fingerprint. */
const apkKeyHash = (fingerprint: string) =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`

/** Says what a start would apply, or why it would fail. */
export async function checkAppFile({ appFile }: Settings): Promise<Finding[]> {
  if (appFile === undefined) return []
  const content = await readAppFile(appFile, variable).catch((error: unknown) => {
    if (error instanceof FileError) return error.faults
    throw error
  })
  if (Array.isArray(content)) return content.map(fail)
  const { changes } = await applyFile(commandOperator(), content, { check: true, managed: true })
  return [ok(`a start applies ${appFile}: ${changesText(changes).split('\n').join(', ')}`)]
}

/** Whether clients that introduce themselves can, and would get anything. A failed one is not told what failed in the network. */
export async function checkClientDocuments({ clientDocuments }: Settings): Promise<Finding[]> {
  if (clientDocuments === null) return []
  const apis = await listApis()
  return [
    ...(clientDocuments === 'any'
      ? [ok('clients at any public host may introduce themselves')]
      : await Promise.all(clientDocuments.map(reachedHost))),
    ...(apis.some(({ apps }) => apps === 'any')
      ? []
      : [
          warn(
            'no API is open to any app, so clients that introduce themselves get nothing: npm run accounts -- api change <identifier> --any-app',
          ),
        ]),
  ]
}

/** Any answer shows that documents there can be fetched. */
const reachedHost = (host: string): Promise<Finding> =>
  fetchForStranger(`https://${host}/`, 5 * 1024).then(
    () => ok(`clients at ${host} may introduce themselves`),
    (error: unknown) => {
      if (!isReceiverError(error)) throw error
      return error.status === undefined
        ? warn(
            `documents at ${host} cannot be fetched: ${error.message}. They are fetched directly, by https at public addresses`,
          )
        : ok(`clients at ${host} may introduce themselves`)
    },
  )

const longestLookupMilliseconds = 3_000

/** What keeps apps from signing people in: the issuer that they must reach, and where people come back to. */
export async function checkRegisteredApps({ origins }: Settings): Promise<Finding[]> {
  const apps = await listApps()
  if (apps.length === 0) return []
  const issuer = origins[0]
  const named = `${apps.length} ${apps.length === 1 ? 'app signs' : 'apps sign'} people in; the issuer is ${issuer}`
  const findings = [ok(named)]
  const elsewhere = apps.filter(({ redirectUris }) => redirectUris.some((uri) => !isOnDevice(uri)))
  if (issuer.startsWith('http:') && elsewhere.length > 0)
    findings.push(
      warn(
        `${namesOf(elsewhere)} cannot reach ${issuer} from another machine, and many apps take no issuer without https; set APP_ORIGIN to your https origin`,
      ),
    )
  const hosts = await Promise.all(apps.map(unresolvedHosts))
  return [...findings, ...apps.flatMap(idOfHost), ...hosts.flat()]
}

const namesOf = (apps: App[]) => apps.map(({ name }) => name).join(', ')

const idOfHost = ({ id, name }: App): Finding[] =>
  isNamedHost(id)
    ? [
        warn(
          `the id ${id} of ${name} is a host that the settings name, so tokens could be mistaken for each other; register it anew with another id`,
        ),
      ]
    : []

async function unresolvedHosts({ id, name, redirectUris }: App): Promise<Finding[]> {
  const hosts = [...new Set(redirectUris.filter((uri) => !isOnDevice(uri)).map((uri) => new URL(uri).hostname))]
  const resolved = await Promise.all(hosts.map(resolves))
  return hosts
    .filter((_, index) => !resolved[index])
    .map((host) =>
      warn(
        `${host} of ${name}'s redirect URI does not resolve here, so people may not get back: npm run accounts -- app change id:${id} --redirect-uri`,
      ),
    )
}

const resolves = (host: string) =>
  holdsWithin(longestLookupMilliseconds, () => lookup(host.replace(/^\[|\]$/g, '')).then(() => true))
