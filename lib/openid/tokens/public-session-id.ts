import { hash } from 'node:crypto'

/** The claim `sid`. A digest, because a session's id is for its owner alone. */
export const publicSessionId = (rootId: string) => hash('sha256', `latchkey/sid ${rootId}`, 'base64url').slice(0, 22)
