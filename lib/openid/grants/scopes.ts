/** In the order in which people read them. */
export const knownScopes = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const

/** Whether what is given outlives the session (OpenID Connect Core section 11). */
export const includesOfflineAccess = (scopes: readonly string[]) => scopes.includes('offline_access')
