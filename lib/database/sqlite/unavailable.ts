import type { DriverCause } from '../dialect/driver-cause'
import { primaryCode, resultCodes } from './result-codes'

const diskCodes: number[] = [resultCodes.readOnly, resultCodes.ioError, resultCodes.full, resultCodes.cannotOpen]

/** Whether the disk has failed or cannot be written to. A lock that was held for too long has a kind of Prisma's. */
export const isUnavailable = ({ kind, extendedCode }: DriverCause): boolean =>
  kind === 'sqlite' && diskCodes.includes(primaryCode(Number(extendedCode)))
