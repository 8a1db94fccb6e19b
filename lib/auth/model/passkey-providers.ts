// From passkeydeveloper/passkey-authenticator-aaguids and FIDO's metadata. For display only: AAGUIDs are not attested.
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
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  Dashlane: ['531126d6-e717-415c-9320-3d9aa6981239'],
  Enpass: ['f3809540-7f14-49c1-a8b3-8f813b225541'],
  KeePassDX: ['eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
  Keeper: ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  NordPass: ['b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  'Proton Pass': ['50726f74-6f6e-5061-7373-50726f746f6e'],
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

export const findProvider = (aaguid: string): string | null => names.get(aaguid) ?? null
