/** Tells password managers which account the password field beside it belongs to. */
export function KnownUsername({ username }: { username: string }) {
  return <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
}
