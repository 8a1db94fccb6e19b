import { CloudIcon, DevicesIcon } from '@/components/ui/icons/icons'
import type { Passkey } from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'

/** Says what kind of device keeps a passkey of an unknown provider, by a key of the namespace `passkeys`. */
export function keeperOf({ backedUp, transports }: Pick<Passkey, 'backedUp' | 'transports'>) {
  if (backedUp) return 'passwordManager'
  return isSecurityKey(transports) ? 'securityKey' : 'device'
}

/**
 * A tile for the password manager or device that stores a passkey, with a shape of our own in the provider's colour:
 * logos are trademarks. Providers without a mark get a cloud, a security key or a device. Decorative, since the name
 * stands beside it.
 */
export function ProviderIcon({
  provider,
  backedUp,
  transports,
}: Pick<Passkey, 'provider' | 'backedUp' | 'transports'>) {
  const mark = provider === null ? undefined : marks[provider]
  if (!mark) {
    return (
      <span className="grid size-10 shrink-0 place-items-center rounded-control bg-accent-wash text-accent">
        {icons[keeperOf({ backedUp, transports })]}
      </span>
    )
  }
  const [colour, shape] = mark
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className="size-10 shrink-0" data-provider={provider}>
      <rect width="40" height="40" rx="9" fill={colour} />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
        <path d={shape} />
      </g>
    </svg>
  )
}

const SecurityKeyIcon = () => (
  <svg
    aria-hidden="true"
    viewBox="0 0 40 40"
    className="size-10"
    data-security-key
    fill="none"
    stroke="currentColor"
    strokeWidth="2.4"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={shapes.stick} />
  </svg>
)

const icons = { passwordManager: <CloudIcon />, securityKey: <SecurityKeyIcon />, device: <DevicesIcon /> }

const shapes = {
  key: 'M18 20a5 5 0 1 1-10 0 5 5 0 0 1 10 0Zm0 0h14v5m-6-5v4',
  people: 'M20 18.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 30.5c.6-5 4.4-8 9.5-8s8.9 3 9.5 8',
  panes: 'M11 11h7.5v7.5H11Zm10.5 0H29v7.5h-7.5ZM11 21.5h7.5V29H11Zm10.5 0H29V29h-7.5Z',
  phone: 'M14.5 9h11a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V11a2 2 0 0 1 2-2Zm4 18h3',
  window: 'M9 12.5h22v16H9Zm0 5h22M12.5 15h.05m3 0h.05',
  lock: 'M13 19h14v10H13Zm2.5 0v-3.5a4.5 4.5 0 0 1 9 0V19',
  shield: 'M20 9.5l9 3.2v6.8c0 5.3-3.6 8.9-9 11-5.4-2.1-9-5.7-9-11v-6.8Z',
  ring: 'M20 30a10 10 0 1 0 0-20 10 10 0 0 0 0 20Zm0-14v8',
  mountain: 'M9 28l7.5-13 4.5 7 3-4.5L31 28Z',
  stick: 'M12 16h12v8H12Zm12 2h5v4h-5M16 20h.05',
} as const

const marks: Record<string, [colour: string, shape: string]> = {
  'Apple Passwords': ['#3a3a3c', shapes.key],
  'Google Password Manager': ['#1a66d6', shapes.key],
  'Windows Hello': ['#0067b8', shapes.panes],
  'Samsung Pass': ['#1428a0', shapes.people],
  'Android device': ['#1c7a45', shapes.phone],
  'Chrome on Mac': ['#b3261e', shapes.window],
  'Chromium Browser': ['#3b6fb5', shapes.window],
  'Edge on Mac': ['#0b6a83', shapes.window],
  '1Password': ['#145fe4', shapes.ring],
  AliasVault: ['#8a5a00', shapes.people],
  'Avast Password Manager': ['#b34700', shapes.lock],
  'AVG Password Manager': ['#2f6b2f', shapes.shield],
  'Avira Password Manager': ['#c4161c', shapes.shield],
  Bitwarden: ['#175ddc', shapes.shield],
  'Burp Suite': ['#b0480f', shapes.window],
  Dashlane: ['#0e353d', shapes.lock],
  Devolutions: ['#0a5fb4', shapes.lock],
  Enpass: ['#0d6fb8', shapes.lock],
  'Fenko Vault': ['#4b3f8f', shapes.lock],
  'Heimlane Vault': ['#2b5d50', shapes.mountain],
  'Hey Be Safe': ['#8a3b7a', shapes.shield],
  IDmelon: ['#1f7a4d', shapes.phone],
  initial: ['#33475b', shapes.key],
  iPasswords: ['#4a55a2', shapes.key],
  'Kaspersky Password Manager': ['#00705c', shapes.shield],
  KeePassDX: ['#2f6b3a', shapes.lock],
  KeePassPasskey: ['#2a5a8c', shapes.lock],
  KeePassXC: ['#3f7a1f', shapes.lock],
  Keeper: ['#7a5c00', shapes.shield],
  LastPass: ['#c01a26', shapes.ring],
  LogMeOnce: ['#1b5e8a', shapes.shield],
  'Microsoft Password Manager': ['#0f62ae', shapes.key],
  NordPass: ['#0b7a75', shapes.mountain],
  'Norton Password Manager': ['#806000', shapes.ring],
  Parcel: ['#8a5522', shapes.panes],
  PassCard: ['#5a4a9c', shapes.window],
  Passwall: ['#6a3d1f', shapes.panes],
  'Proton Pass': ['#6d4aff', shapes.people],
  pwSafe: ['#37517a', shapes.lock],
  'Royal Vault': ['#6b2d8f', shapes.lock],
  Sésame: ['#8f4a00', shapes.key],
  Sherlocked: ['#3d3d5c', shapes.lock],
  'Sticky Password Manager': ['#b32d5c', shapes.lock],
  Thales: ['#242a75', shapes.phone],
  ToothPic: ['#00677f', shapes.phone],
  Uniqkey: ['#3558c8', shapes.key],
  'Zoho Vault': ['#a8201a', shapes.lock],
  'Titan Security Key': ['#1a66d6', shapes.stick],
  Nitrokey: ['#b0301f', shapes.stick],
  'iShield Key': ['#a31621', shapes.stick],
  'Feitian ePass': ['#1d5c9e', shapes.stick],
  'Security Key by Yubico': ['#27598f', shapes.stick],
  YubiKey: ['#4a7400', shapes.stick],
}
