import type { PostBody, PostPath, PostResult } from '@/lib/api/endpoints'
import { administrators } from '@/lib/api/names'
import { pageNamespace } from '@/lib/messages/browser-words'
import { runAction, withSentences } from './failures/describe-failure'
import { isCode } from './failures/errors'
import type { Outcome } from './failures/outcomes'
import { fetchAccount } from './requests/fetch-account'
import { post } from './requests/post'

export type AdminPath = Extract<PostPath, `/api/admin/${string}`>

/** Calls an operators' endpoint, and passes its answer to `onResult`. */
export function administer<P extends AdminPath>(
  path: P,
  body: PostBody<P>,
  wording: { title: string; fields?: string[] },
  onResult: (result: PostResult<P>) => void,
): Promise<Outcome> {
  const call = post as (path: P, body: PostBody<P>) => Promise<PostResult<P>>
  const action = () =>
    call(path, body).then(onResult, async (error: unknown) => {
      if (isCode(error, 'not_found') && !(await isStillAdministrator())) return leave()
      throw error
    })
  // Another administrator was faster, or it has ended by itself.
  return runAction(withSentences({ not_found: pageNamespace('admin').gone }, action), wording)
}

/** To somebody who has left the administrators, the endpoints answer as if there were none. */
const isStillAdministrator = async () => (await fetchAccount()).groups.includes(administrators)

/** Never settles: the page goes away, and shows nothing until then. */
function leave(): Promise<never> {
  window.location.assign('/profile')
  return new Promise(() => undefined)
}
