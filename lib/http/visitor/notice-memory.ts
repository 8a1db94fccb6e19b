import { readCookie } from '../request/cookies'

/** Which notices this browser has dismissed; lib/browser writes it. */
export const readNoticeMemory = (headers: Headers) => readCookie(headers, 'notices')
