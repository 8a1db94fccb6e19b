import { Key } from '@/components/ui/icons/mark'
import { TextLink } from '@/components/ui/text-link'

interface Props {
  username: string
  /** The cuts of the account's key, by `cutsOf()` */
  cuts: string
  /** The link to be somebody else */
  change?: { href: string; name: string }
}

/** Shows whom a page is about. */
export const AccountChip = ({ change, ...who }: Props) => (
  <div className="flex flex-wrap items-center gap-x-3.5 rounded-control border border-line px-[min(0.875rem,3.7vw)] py-2">
    <Who {...who} />
    {change && <TextLink href={change.href}>{change.name}</TextLink>}
  </div>
)

/** Shows an account as a link that chooses it. */
export const AccountLink = ({ href, ...who }: WhoProps & { href: string }) => (
  <a
    href={href}
    className="flex flex-wrap items-center gap-x-3.5 rounded-control border border-edge bg-surface px-[min(0.875rem,3.7vw)] py-2 hover:bg-sunken"
  >
    <Who {...who} />
  </a>
)

interface WhoProps extends Omit<Props, 'change'> {
  /** Stands below the name */
  detail?: string | null
}

const Who = ({ username, cuts, detail }: WhoProps) => (
  <>
    <Key cuts={cuts} className="h-4.5 text-accent" />
    <div className="min-w-0 grow basis-24 py-1 break-words">
      <p className="font-medium">
        <Username name={username} />
      </p>
      {detail && <p className="text-small text-muted">{detail}</p>}
    </div>
  </>
)

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
