import type { Passkey } from '@/lib/api/schemas'
import type { LeftJoined, SqlRow } from '@/lib/database/sql'
import { isoTime, isoTimeOrNull } from './time'

/* What people see of a passkey: its name, and its provider. */

export const passkeyColumns = {
  id: true,
  name: true,
  aaguid: true,
  createdAt: true,
  lastUsedAt: true,
  backedUp: true,
  deviceType: true,
  transports: true,
} as const

export type PasskeyRow = SqlRow<'Passkey', keyof typeof passkeyColumns>

export function describePasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    provider: findProvider(row.aaguid),
    createdAt: isoTime(row.createdAt),
    lastUsedAt: isoTimeOrNull(row.lastUsedAt),
    backedUp: Boolean(row.backedUp),
    deviceType: row.deviceType as Passkey['deviceType'],
    transports: splitTransports(row.transports),
  }
}

/** True if the passkey has shown that it can verify its user: without that, a response does not prove who is present. */
export const canVerifyUser = ({ userVerified, createdConditionally }: LeftJoined<VerificationRow>) =>
  Boolean(userVerified || createdConditionally)

export type VerificationRow = SqlRow<'Passkey', 'userVerified' | 'createdConditionally'>

export const defaultPasskeyName = (aaguid: string, { isSecurityKey = false, browser = null as string | null } = {}) =>
  findProvider(aaguid) ?? (isSecurityKey ? 'Security key' : (browser ?? 'Passkey'))

/** Keeps plausible transports only, since authenticators may report any. */
export const plausibleTransports = (transports: string[]) =>
  [...new Set(transports.filter((transport) => /^[a-z-]{1,32}$/.test(transport)))].slice(0, 8).join(',')

/** Splits transports, in the authenticator's order and spelling (WebAuthn section 5.8.4). */
export const splitTransports = (text: string) => text.split(',').filter(Boolean)

export const findProvider = (aaguid: string): string | null => names.get(aaguid) ?? null

// From passkeydeveloper/passkey-authenticator-aaguids and FIDO's metadata. Only for display, since any authenticator can claim
// one.
const aaguids: Record<string, string[]> = {
  'Apple Passwords': ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2'],
  'Google Password Manager': ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  'Windows Hello': [
    '08987058-cadc-4b81-b6e1-30de50dcbe96',
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
  ],
  'Samsung Pass': ['53414d53-554e-4700-0000-000000000000'],
  'Android device': ['b93fd961-f2e6-462f-b122-82002247de78'],
  'Chrome on Mac': ['adce0002-35bc-c60a-648b-0b25f1f05503'],
  'Chromium Browser': ['b5397666-4885-aa6b-cebf-e52262a439a2'],
  'Edge on Mac': ['771b48fd-d3d4-4f74-9232-fc157ab0507a'],
  '1Password': ['bada5566-a7aa-401f-bd96-45619a55120d'],
  AliasVault: ['a11a5faa-9f32-4b8c-8c5d-2f7d13e8c942'],
  'Avast Password Manager': ['a4a2d88e-9796-4356-9164-e2a5a8bd019c'],
  'AVG Password Manager': ['6bb49926-160a-4306-a100-4eb39ba6ac45'],
  'Avira Password Manager': ['e7db2bd3-f2fe-4d71-ad78-7e7aa166cfd1'],
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  'Burp Suite': ['c9cadfc9-89a9-489e-a25a-c7e86a4d5f15'],
  Dashlane: ['531126d6-e717-415c-9320-3d9aa6981239'],
  Devolutions: ['de503f9c-21a4-4f76-b4b7-558eb55c6f89'],
  Enpass: ['f3809540-7f14-49c1-a8b3-8f813b225541'],
  'Fenko Vault': ['d2717a32-9851-48a8-9961-b264c97a411a'],
  'Heimlane Vault': ['d49b2120-b865-4191-8cea-be84a52b0485'],
  'Hey Be Safe': ['da583154-ce16-4cdf-9fe6-1dba788c0998'],
  IDmelon: ['39a5647e-1853-446c-a1f6-a79bae9f5bc7'],
  initial: ['6d212b28-a2c1-4638-b375-5932070f62e9'],
  iPasswords: ['bfc748bb-3429-4faa-b9f9-7cfa9f3b76d0'],
  'Kaspersky Password Manager': ['a10c6dd9-465e-4226-8198-c7c44b91c555'],
  KeePassDX: ['eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  KeePassPasskey: ['9addb28c-b46f-4402-808f-019651441ff3'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
  Keeper: ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  LastPass: ['b78a0a55-6ef8-d246-a042-ba0f6d55050c'],
  LogMeOnce: ['22248c4c-7a12-46e2-9a41-44291b373a4d'],
  'Microsoft Password Manager': ['d3452668-01fd-4c12-926c-83a4204853aa'],
  NordPass: ['b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  'Norton Password Manager': ['fa37f553-f9b6-4adb-ac53-8bbb57ebdf0d'],
  Parcel: ['5ca471bb-a56d-46ad-a496-67e70e9ed9fb'],
  PassCard: ['87f5ec51-f721-4feb-9fe4-be18c4971894'],
  Passwall: ['70617373-7761-6c6c-6669-646f32303236'],
  'Proton Pass': ['50726f74-6f6e-5061-7373-50726f746f6e'],
  pwSafe: ['d350af52-0351-4ba2-acd3-dfeeadc3f764'],
  'Royal Vault': ['65c97700-f5ef-4d5c-8a42-f30e45ac94b7'],
  Sésame: ['891494da-2c90-4d31-a9cd-4eab0aed1309'],
  Sherlocked: ['e8b7f4a2-c3d5-e6f7-890a-b1c2d3e4f567'],
  'Sticky Password Manager': ['d9be9d39-e6a6-4c28-a581-32b044d986e4'],
  Thales: [
    '17290f1e-c212-34d0-1423-365d729f09d9',
    '66a0ccb3-bd6a-191f-ee06-e375c50b9846',
    '8836336a-f590-0921-301d-46427531eee6',
    'cd69adb5-3c7a-deb9-3177-6800ea6cb72a',
  ],
  ToothPic: ['cc45f64e-52a2-451b-831a-4edd8022a202'],
  Uniqkey: ['45e3057e-b2f9-48ed-912f-9b901e153b16'],
  'Zoho Vault': ['b35a26b2-8f6e-4697-ab1d-d44db4da28c6'],
  'Titan Security Key': ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  Nitrokey: ['2cd2f727-f6ca-44da-8f48-5c2e5da000a2'],
  'iShield Key': ['931327dd-c89b-406c-a81e-ed7058ef36c6', '7787a482-13e8-4784-8a06-c7ed49a7aaf4'],
  'Feitian ePass': [
    'ee041bce-25e5-4cdb-8f86-897fd6418464',
    '12755c32-8ad1-46eb-881c-e0b38d848b09',
    '234cd403-35a2-4cc2-8015-77ea280c77f5',
  ],
  'Security Key by Yubico': [
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
  ],
  YubiKey: [
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ee882879-721c-4913-9775-3dfcce97072a',
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    'fcc0118f-cd45-435b-8da1-9782b2da0715',
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    '662ef48a-95e2-4aaa-a6c1-5b9c40375824',
  ],
}

const names = new Map(Object.entries(aaguids).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)))
