/** A link between /signin and /signup that keeps `next`. */
export function SwitchPageLink({ ask, href, name, next }: { ask: string; href: string; name: string; next: string }) {
  const address = next === '/profile' ? href : `${href}?${new URLSearchParams({ next })}`
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 text-muted">
      {ask}
      <a href={address} className="inline-flex min-h-11 items-center font-medium text-accent hover:underline">
        {name}
      </a>
    </p>
  )
}
