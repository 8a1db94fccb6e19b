import { ButtonLink } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'

interface SwitchPageProps {
  question: string
  href: string
  name: string
}

/** A link between /signin and /signup. */
export const SwitchPageLink = ({ question, href, name }: SwitchPageProps) => (
  <p className="flex flex-wrap items-center justify-center gap-x-2 text-muted">
    {question}
    <TextLink href={href}>{name}</TextLink>
  </p>
)

/** Shows that link as a button, on a page that has no other way on. */
export const SwitchPageButton = ({ question, href, name }: SwitchPageProps) => (
  <div className="mt-6 grid gap-2.5 text-center">
    <p className="text-muted">{question}</p>
    <ButtonLink href={href} look="primary">
      {name}
    </ButtonLink>
  </div>
)

/** Links to help for people without an invitation, if the adopter has named some. */
export const SupportLink = ({ url, text }: { url: string | null; text: string }) =>
  url !== null && (
    <p className="mt-1.5 text-center">
      <TextLink href={url}>{text}</TextLink>
    </p>
  )
