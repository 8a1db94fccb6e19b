const ownPages = new Set(['/', '/signin', '/signup', '/welcome', '/profile', '/passkeys'])

/** Those that need a session. */
export const protectedPages: readonly string[] = ['/welcome', '/profile', '/passkeys']

/** The methods of Latchkey's own pages: they have no Server Actions, which arrive as POST. */
export const pageMethods: readonly string[] = ['GET', 'HEAD']

/** Whether this is a page of Latchkey's and not a fork's own. */
export const isOwnPage = (path: string) => ownPages.has(path)
