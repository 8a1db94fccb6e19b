import { hash } from 'node:crypto'
import { limits } from '@/lib/api/limits'
import { type Database, database, type Statement } from '@/lib/database/client'
import { statement } from '@/lib/database/sql'
import { fetchBytes } from '@/lib/delivery/receiver'
import { isReceiverError } from '@/lib/delivery/senders'
import type { Icon } from './app'
import { appFault } from './spec'

const types = {
  'image/png': sizeOfPng,
  'image/webp': sizeOfWebp,
  'image/jpeg': sizeOfJpeg,
} as const

type IconType = keyof typeof types

/**
 * Finds the type by the bytes themselves: what is served under it must be nothing else. Rasters alone, because an SVG can hold
 * scripts and load other files.
 */
function iconTypeOf(bytes: Uint8Array): IconType | null {
  const entries = Object.entries(types) as [IconType, (typeof types)[IconType]][]
  return entries.find(([, sizeOf]) => sizeOf(Buffer.from(bytes)) !== null)?.[0] ?? null
}

type Size = [width: number, height: number]

function sizeOfPng(bytes: Buffer): Size | null {
  const begin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52])
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(begin)) return null
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

/** RFC 9649, sections 2.5 to 2.7. */
function sizeOfWebp(bytes: Buffer): Size | null {
  const isWebp =
    bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp) return null
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  const packed = bytes.readUInt32LE(21)
  return chunk === 'VP8L' ? [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1] : null
}

/** ITU-T T.81, section B.2.2: the frame header has the size, after other segments. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
  }
  return null
}

/** Says what is wrong with the bytes of an icon; null if nothing is. */
export function iconFault(bytes: Uint8Array): string | null {
  const { bytes: most, pixels } = limits.icon
  if (bytes.length > most) return `The icon has more than ${most / 1024} KiB. Make it smaller.`
  const type = iconTypeOf(bytes)
  if (type === null) return 'The icon must be a PNG, WebP or JPEG image; export an SVG as PNG.'
  const [width, height] = types[type](Buffer.from(bytes)) ?? [0, 0]
  // A few kilobytes can unpack to gigabytes in every browser that shows them.
  return Math.min(width, height) > 0 && Math.max(width, height) <= pixels
    ? null
    : `The icon has ${width} by ${height} pixels, and may have ${pixels} by ${pixels}. Make it smaller.`
}

const dataUrl = /^data:image\/(?:png|webp|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/

export const iconUrlOf = (bytes: Uint8Array) =>
  `data:${iconTypeOf(bytes) ?? 'application/octet-stream'};base64,${Buffer.from(bytes).toString('base64')}`

/** Reads the icon in a `data:` URL; returns a sentence that says what is wrong with it. */
export function iconIn(url: string): Icon | string {
  const [, base64] = dataUrl.exec(url) ?? []
  return base64 === undefined
    ? 'The icon must be a PNG, WebP or JPEG image as a data: URL in base64, or an https URL.'
    : iconOf(Buffer.from(base64, 'base64'))
}

function iconOf(bytes: Uint8Array): Icon | string {
  return iconFault(bytes) ?? { digest: hash('sha256', bytes, 'base64url'), bytes: Uint8Array.from(bytes) }
}

/**
 * Reads what an operator gives: the image itself, or where it is, from where it is fetched now and never again.
 *
 * @throws ApiError invalid_request with a sentence
 */
export async function readIcon(given: string): Promise<Icon> {
  const icon = given.startsWith('https://') ? await fetchIcon(given) : iconIn(given)
  if (typeof icon === 'string') throw appFault('icon', icon)
  return icon
}

async function fetchIcon(url: string): Promise<Icon | string> {
  if (!URL.canParse(url) || url.length > limits.appUri) return `${JSON.stringify(url)} is no URL.`
  try {
    return iconOf(await fetchBytes(url, limits.icon.bytes))
  } catch (error) {
    if (isReceiverError(error)) return `The icon could not be fetched: ${new URL(url).host} ${error.message}.`
    throw error
  }
}

/**
 * Keeps the icon that the row of the app names by then, or none. Run it after the statement that writes that row, which may have
 * found it changed meanwhile and written nothing.
 */
export const iconStatement = (db: Database, app: string, icon: Icon | null): Statement =>
  icon === null
    ? statement(db)`
        DELETE FROM "AppIcon"
        WHERE "appId" IN (SELECT a."id" FROM "App" a WHERE a."id" = ${app} AND a."icon" IS NULL)`
    : statement(db)`INSERT INTO "AppIcon" ("appId", "digest", "bytes")
      SELECT a."id", ${icon.digest}, ${icon.bytes} FROM "App" a WHERE a."id" = ${app} AND a."icon" = ${icon.digest}
      ON CONFLICT ("appId") DO UPDATE SET "digest" = excluded."digest", "bytes" = excluded."bytes"`

/** Null if no app has it any more. */
export async function findIcon(digest: string): Promise<{ type: IconType; bytes: Uint8Array<ArrayBuffer> } | null> {
  if (!/^[\w-]{43}$/.test(digest)) return null
  const db = await database()
  const row = await db.appIcon.findFirst({ where: { digest }, select: { bytes: true } })
  const type = row && iconTypeOf(row.bytes)
  return row && type ? { type, bytes: row.bytes } : null
}
