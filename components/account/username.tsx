/** A username as text. An email address breaks before its host rather than anywhere. */
export function Username({ name }: { name: string }) {
  const host = name.lastIndexOf('@')
  return (
    <bdi>
      {host > 0 ? (
        <>
          {name.slice(0, host)}
          <wbr />
          {name.slice(host)}
        </>
      ) : (
        name
      )}
    </bdi>
  )
}
