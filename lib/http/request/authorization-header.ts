/** What follows a scheme, given in lower case (RFC 9110 section 11.4); null for another scheme. */
export function credentialsOf(authorization: string | null, scheme: string): string | null {
  // No pattern with two runs of spaces: its time grows with the square of the header's length.
  const given = authorization ?? ''
  const rest = given.slice(scheme.length)
  const isScheme = given.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '))
  return isScheme ? rest.trim() : null
}
