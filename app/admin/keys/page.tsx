import { adminPage, loadAdministrators } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'
import { KeyList, NewKey } from '@/components/admin/keys'

export const generateMetadata = titleOf((words) => words.admin.keys)

export default adminPage('/admin/keys', ['keys', 'handOver'], async ({ language, administration }) => {
  const [list, usernames] = await Promise.all([administration.load('/keys', {}), loadAdministrators(administration)])
  const words = language.words.keys
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.keys}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
      <NewKey />
      <KeyList keys={list?.keys ?? []} usernames={usernames} />
    </>
  )
})
