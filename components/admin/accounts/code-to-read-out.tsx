'use client'

import { CopyButton } from '@/components/ui/copy-button'
import { ShownOnce } from '@/components/ui/hand-over'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { PostResult } from '@/lib/api/endpoints'

interface Props {
  made: PostResult<'/api/admin/accounts/recovery-code'>
  username: string
  host: string
  onKept: () => void
}

/** A recovery code in large groups, with words for its letters as one says them on the phone, and what its person does with it. */
export function CodeToReadOut({ made: { code, expiresAt }, username, host, onKept }: Props) {
  const words = useWords('adminAccounts')
  const { useRecoveryCode } = useWords('forms')
  const spelt = words.spelling.split(' ')
  const wordOf = (character: string) => spelt[character.charCodeAt(0) - 'A'.charCodeAt(0)] ?? character
  return (
    <ShownOnce onKept={onKept}>
      {(onCopied) => (
        <>
          <p className="mt-1 mb-4 max-w-prose text-muted">
            {words.codeOnce} <Filled message={words.codeUntil} values={{ date: <Moment at={expiresAt} /> }} />
          </p>
          {/* Left to right in every language, as it is typed. */}
          <ol dir="ltr" className="grid grid-cols-1 gap-2 sm:grid-cols-2" aria-label={words.codeGroups}>
            {code.split('-').map((group, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a code never move, and two may be equal.
              <li key={at} className="rounded-control border border-line bg-sunken px-4 py-2.5">
                <code
                  translate="no"
                  className="block font-mono text-[1.5rem] leading-8 font-semibold tracking-[0.15em]"
                >
                  {group}
                </code>
                <span className="block text-small break-words text-muted">{[...group].map(wordOf).join(' · ')}</span>
              </li>
            ))}
          </ol>
          <div className="mt-4">
            <CopyButton text={code} onCopied={onCopied} />
          </div>
          <h4 className="mt-5 font-medium">{words.whatTheyDo}</h4>
          <ol className="mt-1 max-w-prose list-decimal space-y-1 ps-5 marker:text-muted">
            <li>
              <Filled
                message={words.doOpen}
                values={{ address: <b className="font-medium break-all">{host}/signin</b> }}
              />
            </li>
            <li>
              <Filled message={words.doPress} values={{ button: <b className="font-medium">{useRecoveryCode}</b> }} />
            </li>
            <li>
              <Filled
                message={words.doType}
                values={{ username: <b className="font-medium break-all">{username}</b> }}
              />
            </li>
            <li>{words.doRenew}</li>
          </ol>
        </>
      )}
    </ShownOnce>
  )
}
