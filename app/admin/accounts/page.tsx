import { adminPage } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'

export const generateMetadata = titleOf((words) => words.admin.accounts)

export default adminPage('/admin/accounts', [], async ({ language, administration }) => {
  const page = await administration.load('/accounts', {})
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.accounts}</h1>
      <ul>
        {page?.accounts.map(({ id, username }) => (
          <li key={id}>{username}</li>
        ))}
      </ul>
    </>
  )
})
