'use client'

import type { RefObject } from 'react'
import { type AccountAction, useAccountAction } from '@/components/account/forms/use-account-action'
import type { ActionOptions, OnDone } from '@/components/ui/feedback/use-action'
import type { PostBody, PostResult } from '@/lib/api/endpoints'
import { type AdminPath, administer } from '@/lib/browser/admin'

interface Wording {
  /** The title of a failure, such as "Couldn't disable ada" */
  title: string
  /** The form's fields by the names that the endpoint gives them, where their errors then stand */
  fields?: string[]
}

export interface AdminAction extends AccountAction {
  /**
   * Calls an operators' endpoint. If it asks for the passkey, the page does, and then repeats the call.
   *
   * @param onDone gets the answer, and returns a message to show as `OnDone` does
   */
  call<P extends AdminPath>(
    name: string,
    path: P,
    body: PostBody<P>,
    wording: Wording,
    onDone: (result: PostResult<P>) => ReturnType<OnDone>,
  ): ReturnType<AccountAction['run']>
}

export function useAdminAction(scope: RefObject<HTMLElement | null>, options?: ActionOptions): AdminAction {
  const action = useAccountAction(scope, options)
  return {
    ...action,
    call: (name, path, body, wording, onDone) => {
      let result: PostResult<typeof path>
      return action.run(
        name,
        () =>
          administer(path, body, wording, (answer) => {
            result = answer
          }),
        () => onDone(result),
      )
    },
  }
}
