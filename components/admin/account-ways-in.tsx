'use client'

import { useRef, useState } from 'react'
import { Confirmed, Place } from '@/components/admin/actions'
import { ProviderIcon } from '@/components/passkeys/provider-icon'
import { Badge } from '@/components/ui/badge'
import { Card, Row, Rows } from '@/components/ui/card'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { ShownOnce } from '@/components/ui/hand-over'
import { CopyButton } from '@/components/ui/keep'
import { Day, Moment } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { PostResult } from '@/lib/api/endpoints'
import type { Passkey, ShownAccount } from '@/lib/api/schemas'

type Made = PostResult<'/api/admin/accounts/recovery-code'>

interface WaysProps {
  shown: ShownAccount
  isOwn: boolean
  /** The id of the operator's own passkey that opened this session */
  inUse: string | null
}

/**
 * Makes a code that helps the person in, shows how they can sign in, and lets an operator remove each way; their own, which would
 * close these pages, they remove on the profile.
 */
export function WaysIn({ shown, isOwn, inUse, host }: WaysProps & { host: string }) {
  const words = useWords('adminAccounts')
  const { passkeys } = shown
  return (
    <Card title={words.waysIn} titleId="ways-in">
      {!isOwn && <Help shown={shown} host={host} />}
      <Place id="ways-in-list">
        <Rows>
          {passkeys.length === 0 && <p className="py-3.5 text-muted">{words.noPasskeys}</p>}
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} shown={shown} isOwn={isOwn} inUse={inUse} />
          ))}
          <Password shown={shown} />
          <RecoveryCodes shown={shown} />
        </Rows>
      </Place>
    </Card>
  )
}

function PasskeyRow({ passkey, shown, isOwn, inUse }: WaysProps & { passkey: Passkey }) {
  const words = useWords('adminAccounts')
  const { created, lastUsed, usedNow } = useWords('passkeys')
  const { remove } = useWords('account')
  const fill = useFill()
  const { id, name, createdAt, lastUsedAt } = passkey
  const isLast = shown.passkeys.length === 1 && !shown.hasPassword
  return (
    <div className="flex gap-3.5 py-3.5">
      <ProviderIcon {...passkey} />
      <div className="min-w-0 grow">
        <Row
          controls={
            !isOwn && (
              <Confirmed
                label={remove}
                fullLabel={fill(words.removePasskey, { name })}
                look="quiet-danger"
                question={fill(words.removePasskeyQuestion, { name })}
                text={isLast ? words.removeLastPasskeyText : words.removePasskeyText}
                confirm={words.removeThisPasskey}
                path="/api/admin/accounts/remove-passkey"
                body={{ id: shown.id, passkey: id }}
                failed={words.removePasskeyFailed}
                done={fill(words.passkeyRemoved, { name })}
              />
            )
          }
        >
          <h3 className="font-medium break-words">
            <bdi>{name}</bdi>
            {id === inUse && <Badge tone="accent">{usedNow}</Badge>}
          </h3>
          <p className="text-small text-muted">
            {created} <Day at={createdAt} />
          </p>
          {(lastUsedAt !== null || id !== inUse) && (
            <p className="text-small text-muted">
              {lastUsedAt === null ? (
                words.notUsedSince
              ) : (
                <>
                  {lastUsed} <Moment at={lastUsedAt} />
                </>
              )}
            </p>
          )}
        </Row>
      </div>
    </div>
  )
}

function Password({ shown: { hasPassword, passwordSetAt } }: { shown: ShownAccount }) {
  const { password } = useWords('forms')
  const words = useWords('adminAccounts')
  return (
    <div className="py-3.5">
      <h3 className="text-small text-muted">{password.label}</h3>
      <p className="font-medium">
        {!hasPassword && words.noPassword}
        {hasPassword && passwordSetAt === null && words.passwordSet}
        {hasPassword && passwordSetAt !== null && (
          <Filled message={words.passwordSetOn} values={{ date: <Day at={passwordSetAt} /> }} />
        )}
      </p>
    </div>
  )
}

function RecoveryCodes({ shown: { recoveryCodesLeft, recoveryCodesMadeAt } }: { shown: ShownAccount }) {
  const words = useWords('adminAccounts')
  const fill = useFill()
  return (
    <div className="py-3.5">
      <h3 className="text-small text-muted">{words.codes}</h3>
      <p className="font-medium">
        {recoveryCodesLeft === 0 ? words.noCodes : fill(words.codesLeft, { count: recoveryCodesLeft })}
      </p>
      {recoveryCodesMadeAt !== null && (
        <p className="text-small text-muted">
          <Filled message={words.codesMade} values={{ date: <Moment at={recoveryCodesMadeAt} /> }} />
        </p>
      )}
    </div>
  )
}

/** A code for somebody who has lost all ways in, shown once. */
function Help({ shown, host }: { shown: ShownAccount; host: string }) {
  const words = useWords('adminAccounts')
  const fill = useFill()
  const { username } = shown
  const heading = useRef<HTMLHeadingElement>(null)
  const [made, setMade] = useState<Made | null>(null)
  const { focusAfterUpdate } = usePageFeedback()
  function show(code: Made) {
    setMade(code)
    focusAfterUpdate(() => heading.current)
  }
  return (
    <section aria-labelledby="help" className="border-b border-line px-card py-5">
      <h3 id="help" ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {made ? fill(words.codeFor, { username }) : fill(words.help, { username })}
      </h3>
      {made ? (
        <CodeToReadOut made={made} username={username} host={host} onKept={() => setMade(null)} />
      ) : (
        <>
          <p className="mt-1 mb-4 max-w-prose text-muted">{shown.disabled ? words.helpDisabled : words.helpText}</p>
          {!shown.disabled && (
            <Confirmed
              label={words.makeCode}
              look="secondary"
              question={fill(words.makeCodeQuestion, { username })}
              text={fill(words.makeCodeText, { username })}
              path="/api/admin/accounts/recovery-code"
              body={{ id: shown.id }}
              failed={words.codeFailed}
              place="help"
              done={words.codeMade}
              onDone={show}
            />
          )}
        </>
      )}
    </section>
  )
}

interface CodeProps {
  made: Made
  username: string
  host: string
  onKept: () => void
}

/** A recovery code in large groups, with words for its letters as one says them on the phone, and what its person does with it. */
function CodeToReadOut({ made: { code, expiresAt }, username, host, onKept }: CodeProps) {
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
                values={{ address: <b className="font-medium wrap-anywhere">{host}/signin</b> }}
              />
            </li>
            <li>
              <Filled message={words.doPress} values={{ button: <b className="font-medium">{useRecoveryCode}</b> }} />
            </li>
            <li>
              <Filled
                message={words.doType}
                values={{ username: <b className="font-medium wrap-anywhere">{username}</b> }}
              />
            </li>
            <li>{words.doRenew}</li>
          </ol>
        </>
      )}
    </ShownOnce>
  )
}
