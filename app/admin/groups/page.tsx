import { adminPage } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'
import { GroupList } from '@/components/admin/groups'

export const generateMetadata = titleOf((words) => words.admin.groups)

export default adminPage('/admin/groups', ['adminGroups'], async ({ language, administration }) => {
  const [groups, apps] = await Promise.all([administration.load('/groups', {}), administration.load('/apps', {})])
  return <GroupList groups={groups?.groups ?? []} apps={apps?.apps ?? []} language={language} />
})
