import { loadPage, titleOf } from '@/app/load-page'
import { ButtonLink } from '@/components/ui/button'
import { CardShell } from '@/components/ui/page/card-shell'

export const generateMetadata = titleOf((words) => words.site.notFound)

export default async function NotFound() {
  const { language, site } = await loadPage()
  const { notFound, checkAddress, home } = language.words.site
  return (
    <CardShell language={language} namespaces={[]} site={site} title={notFound} lead={checkAddress}>
      <div className="grid">
        <ButtonLink href="/" look="primary">
          {home}
        </ButtonLink>
      </div>
    </CardShell>
  )
}
