import { wholeNumber } from './whole-number'

export const defaultPort = 3000

export const port = wholeNumber(defaultPort, 1, 65_535)
