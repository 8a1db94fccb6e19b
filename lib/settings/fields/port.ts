import { wholeNumber } from './whole-number'

export const port = wholeNumber(3000, 1, 65_535)
