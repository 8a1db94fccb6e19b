/** The pages that need a session. */
export const protectedPages: readonly string[] = ['/welcome', '/notices', '/secure', '/profile', '/passkeys']

const ownPages = new Set(['/', '/signin', '/signup', '/consent', '/signout', ...protectedPages])

/** Our pages have no Server Actions, which arrive as POST. */
export const pageMethods: readonly string[] = ['GET', 'HEAD']

export const isOwnPage = (path: string) => ownPages.has(path)
