'use client'

import { CopyField } from '@/components/ui/hand-over'
import { CopyButton } from '@/components/ui/keep'
import { TextLink } from '@/components/ui/text-link'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { type KnownApp, settingsOf } from '@/lib/known-apps'

interface Props {
  /** Its name, and its registration as a known one, at its address */
  name: string
  known: KnownApp | null
  issuer: string
  id: string
  /** The secret of a new app, or the new one of another; a public app has none */
  secret: string | undefined
  isPublic: boolean
  isManaged?: boolean
  /** The level of the heading above the app's own settings: one below the page's or a card's */
  heading: 'h2' | 'h3'
  onCopied?: () => void
}

/** What an operator enters in the app: the values, and for a known app its own settings with them filled in. */
export function AppValues({ name, known, issuer, id, secret, isPublic, isManaged, heading, onCopied }: Props) {
  const words = useWords('adminApps')
  const keptSecret = isManaged ? words.secretOfFile : words.secretGone
  return (
    <div className="space-y-4">
      <CopyField label={words.issuer} value={issuer} hint={words.issuerHint} />
      <CopyField label={words.clientId} value={id} />
      {secret !== undefined && <CopyField label={words.clientSecret} value={secret} onCopied={onCopied} />}
      {secret === undefined && <p className="text-small text-muted">{isPublic ? words.noSecret : keptSecret}</p>}
      <CopyField
        label={words.discovery}
        value={`${issuer}/.well-known/openid-configuration`}
        hint={words.discoveryHint}
      />
      {known && (
        <OwnSettings name={name} known={known} values={{ issuer, id, secret }} heading={heading} onCopied={onCopied} />
      )}
    </div>
  )
}

interface OwnSettingsProps {
  name: string
  known: KnownApp
  values: { issuer: string; id: string; secret: string | undefined }
  heading: Props['heading']
  onCopied: (() => void) | undefined
}

/** The lines of its settings, in the app's own words. What docs/apps.json says of it is in English. */
function OwnSettings({ name, known, values, heading: Heading, onCopied }: OwnSettingsProps) {
  const words = useWords('adminApps')
  const fill = useFill()
  const text = settingsOf(known, values)
  const label = fill(words.ownSettings, { app: name })
  return (
    <section aria-label={label} className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Heading className="font-semibold">{label}</Heading>
        <CopyButton
          look="quiet"
          text={text}
          name={label}
          onCopied={values.secret === undefined ? undefined : onCopied}
        />
      </div>
      <p className="text-small text-muted">
        <Filled message={words.ownPlace} values={{ place: <span lang="en">{known.place.replaceAll('`', '')}</span> }} />
      </p>
      {/* A region that scrolls has to be reachable by keyboard. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        tabIndex={0}
        dir="ltr"
        translate="no"
        className="mt-2 overflow-x-auto rounded-control border border-line bg-sunken p-3 font-mono text-small"
      >
        {text}
      </pre>
      {known.needsEmail && <p className="mt-3 text-small">{fill(words.needsEmail, { app: name })}</p>}
      {known.remarks.length > 0 && (
        <ul lang="en" dir="ltr" className="mt-3 list-disc space-y-1 ps-5 text-small text-muted">
          {known.remarks.map((remark) => (
            <li key={remark} className="break-words">
              {remark.replaceAll('`', '')}
            </li>
          ))}
        </ul>
      )}
      <p>
        <TextLink href={known.documents}>{fill(words.manual, { app: name })}</TextLink>
      </p>
    </section>
  )
}
