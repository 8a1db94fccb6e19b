import { adminPage } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { TryLetter, Undelivered } from '@/components/admin/deliveries'
import { Pager } from '@/components/admin/lists'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

const path = '/admin/deliveries'

export const generateMetadata = titleOf((words) => words.admin.deliveries)

export default adminPage(path, ['deliveries'], async (page, { searchParams }) => {
  const { language, site, administration } = page
  const after = firstOf((await searchParams).after)
  const list = await administration.load('/deliveries', { ...(after && { after }) })
  const deliveries = list?.deliveries ?? []
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.deliveries}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{language.words.deliveries.lead}</p>
      <Undelivered deliveries={deliveries.map((one) => ({ ...one, name: nameOf(language, one.type) }))} />
      <Pager language={language} path={path} query={{}} after={list?.after ?? null} isFirst={after === undefined} />
      {site.mail && <TryLetter />}
    </>
  )
})

/** In words, if it has some: a webhook's type is what its receiver knows it by. */
function nameOf({ locale, words: { deliveries, letters } }: PageLanguage, type: string): string {
  const title = (letters.titles as Record<string, string>)[type.replace('letter.', '')]
  if (type.startsWith('letter.') && title !== undefined) return fill(locale, deliveries.letter, { title })
  return type === 'logout_token' ? deliveries.signOut : fill(locale, deliveries.webhook, { type })
}
