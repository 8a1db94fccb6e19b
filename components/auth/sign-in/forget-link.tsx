/** Has this browser forget what it shows of its last sign-in; `preparePage()` removes the cookie. Works without JavaScript. */
export function ForgetLink({ text, next }: { text: string; next?: string | undefined }) {
  const query = next === undefined ? '?forget' : `?${new URLSearchParams({ next })}&forget`
  return (
    <p>
      <a
        href={query}
        rel="nofollow"
        className="inline-flex min-h-11 items-center text-small text-muted underline decoration-edge underline-offset-4 hover:text-ink"
      >
        {text}
      </a>
    </p>
  )
}
