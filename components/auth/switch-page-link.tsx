import { ButtonLink } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import { withNext } from '@/lib/api/with-next'

interface SwitchPageProps {
  question: string
  href: string
  name: string
  next: string
}

/** Without `next` if that is where the page leads by itself. */
const switchPath = (page: string, next: string) => (next === '/profile' ? page : withNext(page, next))

/** A link between /signin and /signup that keeps `next`. */
export const SwitchPageLink = ({ question, href, name, next }: SwitchPageProps) => (
  <p className="flex flex-wrap items-center justify-center gap-x-2 text-muted">
    {question}
    <TextLink href={switchPath(href, next)}>{name}</TextLink>
  </p>
)

/** The same as a button, on a page that has no other way on. */
export const SwitchPageButton = ({ question, href, name, next }: SwitchPageProps) => (
  <div className="mt-6 grid gap-2.5 text-center">
    <p className="text-muted">{question}</p>
    <ButtonLink href={switchPath(href, next)} look="primary">
      {name}
    </ButtonLink>
  </div>
)
