import { spawnSync } from 'node:child_process'

/** Debian's Python, for which its packages are. */
export const debianPython = '/usr/bin/python3'

let found: string | undefined

/** A Python that has PyJWT. One of another origin may stand before Debian's in the path. */
export const findPython = () =>
  (found ??= ['python3', debianPython].find(
    (python) => spawnSync(python, ['-c', 'import jwt, cryptography'], { stdio: 'ignore' }).status === 0,
  ))
