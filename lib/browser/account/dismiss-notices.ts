import { post } from '../requests/post'
import { rememberDismissal } from '../state/notice-cookie'

/**
 * Dismisses notices as the owner's own: in this browser, and for the account if the tab's step-up proves it. Never throws,
 * since the dismissal counts here in any case.
 *
 * @param until the time of the newest notice
 * @returns whether it counts everywhere
 */
export function dismissNotices(accountId: string, until: number): Promise<boolean> {
  rememberDismissal(accountId, until)
  return post('/api/i/notices/dismiss', { until: new Date(until).toISOString() }).then(
    ({ everywhere }) => everywhere,
    () => false,
  )
}
