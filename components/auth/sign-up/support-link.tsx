import { TextLink } from '@/components/ui/text-link'

/** Who can help those without an invitation, where the adopter says how. */
export const SupportLink = ({ url, text }: { url: string | null; text: string }) =>
  url !== null && (
    <p className="mt-1.5 text-center">
      <TextLink href={url}>{text}</TextLink>
    </p>
  )
