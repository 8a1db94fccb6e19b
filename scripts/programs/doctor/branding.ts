import { contrast } from '@/lib/colour'
import { palette } from '@/lib/settings/branding/accent'
import type { Logo } from '@/lib/settings/branding/logo'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

/** What the pages look like. */
export function checkBranding({ appName, logo, accent, homeUrl, backendUrl }: Settings): Finding[] {
  const findings = [logo?.light, logo?.dark].flatMap((one) => (one ? [ok(describeLogo(one))] : []))
  if (logo && !logo.dark) findings.push(ok('APP_LOGO_DARK is not set: in the dark theme the logo has a light plate'))
  if (accent) findings.push(ok(describeAccent(accent)))
  if (homeUrl) findings.push(ok(`people go on to ${homeUrl}`))
  if (findings.length > 0 && backendUrl) findings.push(ok('all of this must be the same on the backend'))
  if (findings.length > 0 && appName === 'Latchkey')
    findings.push(warn('APP_NAME is not set, so titles and password managers say Latchkey'))
  return findings
}

const describeLogo = ({ url, file }: Logo) =>
  file
    ? `${url} is ${file.type} of ${Math.ceil(file.bytes.length / 1024)} KiB`
    : `browsers load the logo from ${new URL(url).host}, which then sees their addresses`

function describeAccent({ light, dark }: NonNullable<Settings['accent']>): string {
  const ratio = (one: string, other: string) => `${contrast(one, other).toFixed(1)}:1`
  const inDark = `${dark.accent} with ${ratio(dark.accent, palette.dark.paper)} in the dark theme`
  return `${light.accent} reaches ${ratio(light.accent, palette.light.paper)} as text, and ${inDark}`
}
