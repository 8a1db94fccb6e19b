import { ButtonLink } from '@/components/ui/button'
import { withNext } from '@/lib/api/with-next'

interface SwitchPageProps {
  ask: string
  href: string
  name: string
  next: string
}

/** Without `next` if that is where the page leads by itself. */
const switchPath = (page: string, next: string) => (next === '/profile' ? page : withNext(page, next))

/** A link between /signin and /signup that keeps `next`. */
export const SwitchPageLink = ({ ask, href, name, next }: SwitchPageProps) => (
  <p className="flex flex-wrap items-center justify-center gap-x-2 text-muted">
    {ask}
    <a
      href={switchPath(href, next)}
      className="inline-flex min-h-11 items-center font-medium text-accent hover:underline"
    >
      {name}
    </a>
  </p>
)

/** The same as a button, on a page that has no other way on. */
export const SwitchPageButton = ({ ask, href, name, next }: SwitchPageProps) => (
  <div className="mt-6 grid gap-2.5 text-center">
    <p className="text-muted">{ask}</p>
    <ButtonLink href={switchPath(href, next)} look="primary">
      {name}
    </ButtonLink>
  </div>
)
