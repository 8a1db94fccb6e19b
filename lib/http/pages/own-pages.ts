const ownPages = new Set(['/', '/signin', '/signup', '/welcome', '/profile', '/passkeys', '/consent', '/signout'])

/** Those that need a session. */
export const protectedPages: readonly string[] = ['/welcome', '/profile', '/passkeys']

/** They have no Server Actions, which arrive as POST. */
export const pageMethods: readonly string[] = ['GET', 'HEAD']

export const isOwnPage = (path: string) => ownPages.has(path)
