import { hash } from 'node:crypto'

/** How apps know a session. A digest, since the id of a session is for its owner alone. */
export const publicSessionId = (rootId: string) => hash('sha256', `latchkey/sid ${rootId}`, 'base64url').slice(0, 22)
