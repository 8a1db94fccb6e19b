import type { ReactNode } from 'react'
import { AccountProvider } from '@/components/account/account-provider'
import { AccountMenu } from '@/components/account/frame/account-menu'
import { Mark } from '@/components/ui/icons/mark'
import { Brand } from '@/components/ui/page/brand'
import { PageFooter, type PageFooterProps } from '@/components/ui/page/page-footer'
import { WordsProvider } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import type { Namespace } from '@/lib/messages/en'
import { type PageLanguage, wordsOfNamespaces } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  /** The parts of the catalogue that the components inside need, beside those of all signed-in pages */
  namespaces?: readonly Namespace[]
  query?: PageFooterProps['query']
  site: Site
  account: Account
  /** The page's path. */
  current: string
  children: ReactNode
}

/** The frame of a signed-in page, with the providers that its parts share. */
export function AccountShell({ language, namespaces = [], query, site, account, current, children }: Props) {
  const { words } = language
  const links = [
    ['/profile', words.account.profile],
    ['/passkeys', words.account.passkeys],
  ] as const
  return (
    <WordsProvider {...wordsOfNamespaces(language, [...common, ...namespaces])}>
      <div className="flex min-h-dvh flex-col">
        <header className="border-b border-line bg-surface">
          <div className="relative mx-auto flex max-w-2xl flex-wrap items-center gap-x-4 px-page py-2">
            <div className="-ms-[min(0.5rem,4.2vw)] flex min-w-0">
              <Brand site={site} mark={<Mark appName={site.appName} />} />
            </div>
            {/* On a phone they get a line of their own. */}
            <nav
              aria-label={words.account.navigation}
              className="-mx-[min(0.625rem,4.2vw)] flex flex-wrap max-sm:order-last max-sm:basis-full"
            >
              {links.map(([href, name]) => (
                <a key={href} href={href} aria-current={href === current ? 'page' : undefined} className={linkLook}>
                  {name}
                </a>
              ))}
            </nav>
            <AccountMenu username={account.username} supportUrl={site.supportUrl} />
          </div>
        </header>
        <main className="mx-auto w-full max-w-2xl px-page pt-8 pb-16 sm:pt-12">
          <AccountProvider account={account} site={site}>
            {children}
          </AccountProvider>
        </main>
        <PageFooter language={language} site={site} query={query} />
      </div>
    </WordsProvider>
  )
}

const common = ['forms', 'failures', 'dates', 'account'] as const

const linkLook =
  'inline-flex min-h-11 items-center rounded-control px-2.5 text-small font-medium text-muted transition-colors hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-accent aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-[0.5rem]'
