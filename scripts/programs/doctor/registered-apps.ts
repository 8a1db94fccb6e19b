import { lookup } from 'node:dns/promises'
import type { App } from '@/lib/openid/apps/app'
import { isOnDevice } from '@/lib/openid/apps/redirect-uris'
import { isNamedHost } from '@/lib/openid/operator/app-rules'
import { listApps } from '@/lib/openid/operator/manage-apps'
import { holdsWithin } from '@/lib/process/result-within'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

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
