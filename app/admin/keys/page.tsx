import { adminPage } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'
import { KeyList, NewKey } from '@/components/admin/keys'
import { administrators } from '@/lib/api/names'

export const generateMetadata = titleOf((words) => words.admin.keys)

export default adminPage('/admin/keys', ['keys', 'handOver'], async ({ language, administration }) => {
  const [list, admins] = await Promise.all([
    administration.load('/keys', {}),
    administration.load('/accounts', { group: administrators, limit: 200 }),
  ])
  const words = language.words.keys
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.keys}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
      <NewKey />
      <KeyList
        keys={list?.keys ?? []}
        usernames={Object.fromEntries((admins?.accounts ?? []).map(({ id, username }) => [id, username]))}
      />
    </>
  )
})
