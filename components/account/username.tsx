/**
 * A username as text. It moves to the next line whole rather than break at a hyphen; an e-mail address that is
 * longer than a line breaks before its host.
 */
export function Username({ name }: { name: string }) {
  const host = name.lastIndexOf('@')
  return (
    <bdi translate="no" className="inline-block max-w-full">
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
