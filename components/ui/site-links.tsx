import type { Branding } from '@/components/ui/brand'

/** The adopter's links, at the foot of a page. */
export function SiteLinks({ site: { termsUrl, privacyUrl, supportUrl } }: { site: Branding }) {
  const links = [
    ['Terms', termsUrl],
    ['Privacy', privacyUrl],
    ['Support', supportUrl],
  ] as const
  const set = links.flatMap(([name, href]) => (href === null ? [] : [{ name, href }]))
  if (set.length === 0) return null
  return (
    <footer className="mt-auto px-4 pb-4 sm:px-6">
      <ul className="flex flex-wrap justify-center gap-x-6">
        {set.map(({ name, href }) => (
          <li key={name}>
            <a
              href={href}
              className="inline-flex min-h-11 items-center text-small text-muted hover:text-ink hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </footer>
  )
}
