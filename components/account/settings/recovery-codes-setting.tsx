'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAccountAction } from '@/components/account/action'
import { CodeMessages, RecoveryCodeSheet, useCreateCodes } from '@/components/account/recovery-codes'
import { Setting } from '@/components/account/setting'
import { Button } from '@/components/ui/button'
import { Day } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'

interface Props {
  /** On a page that leads through steps, true if this is the next one */
  isNext?: boolean
  /** Runs when the sheet with new codes opens and when it closes */
  onSheet?: (isOpen: boolean) => void
}

export function RecoveryCodesSetting({ isNext, onSheet }: Props) {
  const words = useWords('profile')
  const fill = useFill()
  const { recoveryCodesLeft: left, recoveryCodesMadeAt: madeAt } = useAccountContext().account
  return (
    <Setting
      id="recovery-codes"
      name={words.recoveryCodes}
      value={left === 0 ? words.noCodes : fill(words.codesLeft, { count: left })}
      note={madeAt !== null && <Filled message={words.codesMade} values={{ date: <Day at={madeAt} /> }} />}
      label={left === 0 ? words.createCodes : words.newCodes}
      fullLabel={left === 0 ? words.createCodes : words.createNewCodes}
      isMain={isNext}
    >
      {(close, isPressed) => (
        <CodeCreator
          look={isNext === false ? 'secondary' : 'primary'}
          isPressed={isPressed}
          onSheet={onSheet}
          onClose={close}
        />
      )}
    </Setting>
  )
}

interface CodeCreatorProps {
  look: 'primary' | 'secondary'
  isPressed: boolean
  onSheet: Props['onSheet']
  onClose: (done?: string) => void
}

function CodeCreator({ look, isPressed, onSheet, onClose }: CodeCreatorProps) {
  const { cancel } = useWords('forms')
  const words = useWords('profile')
  const { account } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const { codes, sheet, createCodes } = useCreateCodes(action, () => onSheet?.(true))
  const pending = action.pending !== null
  // The first codes replace none, so there is nothing to read before. Decides when the page opens, since the person may use the
  // last code later.
  const [startsAtOnce] = useState(isPressed && account.recoveryCodesLeft === 0)
  function finish() {
    onSheet?.(false)
    onClose(words.codesSavedDone)
  }
  useStart(startsAtOnce, createCodes)
  return (
    <div ref={scope}>
      <CodeMessages action={action} codes={codes} />
      {codes ? (
        <RecoveryCodeSheet ref={sheet} codes={codes} onDone={finish} />
      ) : (
        <>
          <p className="mb-4 max-w-prose text-muted">
            {words.codesAbout}
            {account.recoveryCodesLeft > 0 && ` ${words.codesReplace}`}
          </p>
          <div className="flex flex-wrap gap-2">
            {/* The pressed button went away. */}
            <Button look={look} autoFocus={startsAtOnce} pending={pending} onClick={createCodes}>
              {words.createTenCodes}
            </Button>
            <Button look="quiet" disabled={pending} onClick={() => onClose()}>
              {cancel}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function useStart(isWanted: boolean, start: () => void) {
  const startIt = useEffectEvent(start)
  useEffect(() => {
    if (isWanted) startIt()
  }, [isWanted])
}
