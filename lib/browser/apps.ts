import type { AllowedApp } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/page-words'
import { runAction, withSentences } from './failures/describe-failure'
import { ignoreNotFound } from './failures/errors'
import type { Outcome } from './failures/outcomes'
import { post } from './requests/post'
import { clearSessionEverywhere } from './sign-in/session-end'

/** Answers an app's request. @param onLocation gets the URL that leads back to the app */
export function answerAppRequest(
  request: string,
  allow: boolean,
  onLocation: (location: string) => void,
): Promise<Outcome> {
  const action = async () => onLocation((await post('/api/oauth/consent', { request, allow })).location)
  return runAction(action, { title: pageNamespace('appRequest').failed })
}

/** Answers a device's request, by the code that it shows. */
export function answerDevice(userCode: string, allow: boolean): Promise<Outcome> {
  const { failed, gone } = pageNamespace('device')
  const action = () => post('/api/oauth/device/answer', { userCode, allow })
  return runAction(withSentences({ not_found: gone }, action), { title: failed })
}

/** Ends the session after an app's logout. @param onLocation gets the URL that leads back to the app, or to the sign-in page */
export function confirmAppLogout(request: string, onLocation: (location: string) => void): Promise<Outcome> {
  const action = async () => {
    const { location } = await post('/api/oauth/logout/confirm', { request })
    clearSessionEverywhere()
    onLocation(location)
  }
  return runAction(action, { title: pageNamespace('appSignOut').failed })
}

/** Takes away an app's access; one that has none any more is no failure. */
export function removeAppAccess({ id }: Pick<AllowedApp, 'id'>): Promise<Outcome> {
  const action = () => post('/api/i/apps/revoke', { id }).catch(ignoreNotFound)
  return runAction(action, { title: pageNamespace('apps').removeFailed })
}
