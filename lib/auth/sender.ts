/* What an address and a User-Agent say of where a request comes from: its network, and its browser. */

/** Providers assign a whole IPv6 /48 to one customer: 65,536 addresses. @returns null for IPv4 and `unknown` */
export function surroundingNetwork(address: string): string | null {
  const [, groups] = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address) ?? []
  return groups === undefined ? null : `${groups}::/48`
}

/** Takes the part of an address that many households share: an IPv4 /24 or IPv6 /48. */
export const neighbourhoodOf = (address: string): string =>
  surroundingNetwork(address) ?? address.replace(/\.\d+$/, '.0/24')

export const networkOf = (address: string): string => surroundingNetwork(address) ?? address

/** Such as "Firefox on Windows", from the tables alone: a User-Agent could otherwise put any text on the owner's profile. */
export function browserName(userAgent: string | null, joint = ' on '): string | null {
  if (!userAgent) return null
  return [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter(Boolean).join(joint) || null
}

/** The first match counts, because browsers also name those that they resemble. */
const browsers: [name: string, mark: RegExp][] = [
  ['Microsoft Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPX|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Brave', /\bBrave\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(DuckDuckGo|Ddg)\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['UC Browser', /\bUC ?Browser\//],
  ['Huawei Browser', /\bHuaweiBrowser\//],
  ['Xiaomi Browser', /\bMiuiBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS|Focus|Klar)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (Mobile\/\S+ )?Safari\//],
]

const systems: [name: string, mark: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(iPhone|iPod)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\b(Macintosh|Mac OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (table: [string, RegExp][], userAgent: string) => table.find(([, mark]) => mark.test(userAgent))?.[0]
