import type { DriverCause } from '../dialect/driver-cause'
import { primaryCode, resultCodes } from './result-codes'

const diskCodes: number[] = [resultCodes.ioError, resultCodes.full, resultCodes.cannotOpen]

/** Whether the disk has failed. A lock that was held for too long has a kind of Prisma's. */
export const isUnavailable = ({ kind, extendedCode }: DriverCause): boolean =>
  kind === 'sqlite' && diskCodes.includes(primaryCode(Number(extendedCode)))
