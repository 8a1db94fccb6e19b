interface TextLinkProps {
  href: string
  children: string
}

/** A link that stands by itself, as high as a finger is wide. Not beside `Button`, which the script of every page has. */
export const TextLink = ({ href, children }: TextLinkProps) => (
  <a href={href} className="inline-flex min-h-11 items-center rounded-control font-medium text-accent hover:underline">
    {children}
  </a>
)
