/** The eight endpoints, each with a body of the right media type that asks for nothing; undefined where none is read. */
export const ENDPOINTS: readonly { path: string; body?: object }[] = [
  { path: '/api/signup', body: {} },
  { path: '/api/signin', body: {} },
  { path: '/api/signout' },
  { path: '/api/i' },
  { path: '/api/auth/register/options', body: {} },
  { path: '/api/auth/register/verify', body: {} },
  { path: '/api/auth/login/options', body: {} },
  { path: '/api/auth/login/verify', body: {} },
]
