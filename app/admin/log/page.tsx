import { adminPage } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { addressOf } from '@/components/admin/lists'
import { OperatorLog } from '@/components/admin/operator-log'
import { administrators } from '@/lib/api/names'
import type { Administration } from '@/lib/http/pages/administration'

export const generateMetadata = titleOf((words) => words.admin.log)

export default adminPage('/admin/log', [], async ({ language, administration }, { searchParams }) => {
  const query = await searchParams
  const person = firstOf(query.person)?.trim() ?? ''
  const filter = {
    person,
    app: firstOf(query.app) ?? '',
    by: firstOf(query.by) ?? '',
  }
  const after = firstOf(query.after)
  const [apps, keys, admins, found] = await Promise.all([
    administration.load('/apps', {}),
    administration.load('/keys', {}),
    administration.load('/accounts', { group: administrators, limit: 200 }),
    person === '' ? null : findPerson(administration, person),
  ])
  const page = await administration.load('/log', {
    ...(filter.by && { by: filter.by }),
    ...(filter.app && { app: filter.app }),
    // It may be the id of an account that is deleted.
    ...(filter.person && { account: found?.id ?? person }),
    ...(after && { after }),
  })
  const operators = [
    ...(admins?.accounts ?? []).map(({ id, username }) => ({ by: id, name: username, isKey: false })),
    ...(keys?.keys ?? []).map(({ name }) => ({ by: `key:${name}`, name, isKey: true })),
  ]
  return (
    <OperatorLog
      filter={{ ...filter, person: found?.username ?? person }}
      names={{
        people: page?.usernames ?? {},
        apps: Object.fromEntries((apps?.apps ?? []).map(({ id, name }) => [id, name])),
        operators,
      }}
      entries={page?.log ?? []}
      older={page?.after != null ? addressOf('/admin/log', { ...filter, after: page.after }) : null}
      newest={after === undefined ? null : addressOf('/admin/log', filter)}
      language={language}
    />
  )
})

/** By username, as typed, or by id, as the links of the log have it. */
const findPerson = async (administration: Administration, person: string) =>
  (await administration.load('/accounts/show', { username: person })) ??
  (await administration.load('/accounts/show', { id: person }))
