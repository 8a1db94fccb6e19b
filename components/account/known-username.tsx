/** Whose password the field beside it is about. For password managers alone: the page knows it and nobody has to see it. */
export function KnownUsername({ username }: { username: string }) {
  return <input type="text" name="knownUsername" autoComplete="username" value={username} readOnly hidden />
}
