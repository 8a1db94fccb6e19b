import { adminPage } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { type AccountFilter, AccountList, shows } from '@/components/admin/accounts/account-list'
import { FirstSteps } from '@/components/admin/first-steps'
import { administrators } from '@/lib/api/names'

export const generateMetadata = titleOf((words) => words.admin.accounts)

export default adminPage('/admin/accounts', [], async ({ language, account, administration }, { searchParams }) => {
  const query = await searchParams
  const filter: AccountFilter = {
    query: firstOf(query.query)?.trim() ?? '',
    group: firstOf(query.group) ?? '',
    show: shows.find((one) => one === firstOf(query.show)) ?? '',
  }
  const after = firstOf(query.after)
  const isStart = !after && Object.values(filter).every((value) => value === '')
  const [apps, invitations, groups, page] = await Promise.all([
    isStart ? administration.load('/apps', {}) : null,
    isStart ? administration.load('/invitations', { limit: 1 }) : null,
    administration.load('/groups', {}),
    administration.load('/accounts', {
      ...(filter.query && { query: filter.query }),
      ...(filter.group && { group: filter.group }),
      ...(filter.show === 'no-passkey' && { hasPasskey: false }),
      ...(filter.show === 'never-back' && { cameBack: false }),
      ...(filter.show === 'disabled' && { disabled: true }),
      ...(after && { after }),
    }),
  ])
  const members = groups?.groups.find(({ name }) => name === administrators)?.members ?? 0
  return (
    <AccountList
      filter={filter}
      groups={(groups?.groups ?? []).map(({ name }) => name)}
      accounts={page?.accounts ?? []}
      after={page?.after ?? null}
      isFirst={!after}
      ownId={account.id}
      language={language}
    >
      {isStart && (
        <div className="mt-6 *:mb-0">
          <FirstSteps
            standing={{
              hasPeople: (page?.accounts.length ?? 0) > 1 || (invitations?.invitations.length ?? 0) > 0,
              hasApps: (apps?.apps.length ?? 0) > 0,
              hasSecondAdministrator: members > 1,
            }}
            words={language.words.firstSteps}
          />
        </div>
      )}
    </AccountList>
  )
})
