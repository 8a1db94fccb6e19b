import { spawnSync } from 'node:child_process'
import { isMissing } from './programs'

/** A Python of another origin may stand before Debian's in the path. */
const found = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import jwt, cryptography'], { stdio: 'ignore' }).status === 0,
)

/** A Python that has PyJWT. */
export const python = found ?? 'python3'

export const withoutPython = isMissing(
  found !== undefined,
  'access tokens in Python, which need the packages python3-jwt and python3-cryptography',
)
