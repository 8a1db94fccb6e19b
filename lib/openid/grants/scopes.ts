/** In the order of the consent page. */
export const knownScopes = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const

/** Whether what is issued outlives the session (OpenID Connect Core section 11). */
export const includesOfflineAccess = (scopes: readonly string[]) => scopes.includes('offline_access')
