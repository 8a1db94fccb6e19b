/** Who can help those without an invitation, where the adopter says how. */
export const SupportLink = ({ url, text }: { url: string | null; text: string }) =>
  url !== null && (
    <p className="mt-1.5 text-center">
      <a href={url} className="inline-flex min-h-11 items-center font-medium text-accent hover:underline">
        {text}
      </a>
    </p>
  )
