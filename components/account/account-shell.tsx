import type { ReactNode } from 'react'
import { AccountMenu, WaitingRecovery } from '@/components/account/account-menu'
import { AccountProvider } from '@/components/account/account-provider'
import { CheckIcon, PasskeyIcon } from '@/components/ui/icons/form-icons'
import { LockIcon, PersonIcon } from '@/components/ui/icons/icons'
import { Key, Mark } from '@/components/ui/icons/mark'
import { Brand } from '@/components/ui/page/brand'
import { PageFooter, type PageFooterProps } from '@/components/ui/page/card-frame'
import { WordsProvider } from '@/components/ui/words/words'
import { administrators } from '@/lib/api/names'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { cutsOf } from '@/lib/mark'
import type { Namespace, Words } from '@/lib/messages/en'
import { type PageLanguage, wordsOfNamespaces } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  /** The parts of the catalogue that the components inside need, beside those of all signed-in pages */
  namespaces?: readonly Namespace[]
  query?: PageFooterProps['query']
  site: Site
  account: Account
  /** Of the operators' pages, which are wider */
  navigation?: ReactNode
  children: ReactNode
}

/** The frame of a signed-in page, with the providers that its parts share. */
export function AccountShell({ language, namespaces = [], query, site, account, navigation, children }: Props) {
  const { words } = language
  const width = navigation ? 'max-w-5xl' : 'max-w-2xl'
  return (
    <WordsProvider {...wordsOfNamespaces(language, [...common, ...namespaces])}>
      <div className="flex min-h-dvh flex-col">
        <header className="border-b border-line bg-surface">
          <div className={`relative mx-auto flex flex-wrap items-center gap-x-4 px-page py-2 ${width}`}>
            <div className="-ms-[min(0.5rem,4.2vw)] flex min-w-0">
              <Brand site={site} mark={<Mark appName={site.appName} />} />
            </div>
            {navigation}
            <AccountMenu
              username={account.username}
              avatar={<Key cuts={cutsOf(account.id)} className="h-3.5 text-accent" />}
              supportUrl={site.supportUrl}
              links={menuOf(account, words, navigation !== undefined)}
            />
          </div>
        </header>
        <main className={`mx-auto w-full px-page pt-8 pb-16 sm:pt-12 ${width}`}>
          <AccountProvider account={account} site={site} byPasskeyOnly={navigation !== undefined}>
            {site.recovery !== null && <WaitingRecovery />}
            {children}
          </AccountProvider>
        </main>
        <PageFooter language={language} site={site} query={query} />
      </div>
    </WordsProvider>
  )
}

/** Sends nothing of the administration to anybody else. */
const menuOf = ({ groups }: Account, { account, profile, admin }: Words, isAdministration: boolean) => [
  { href: '/profile', name: account.profile, icon: <PersonIcon /> },
  { href: '/passkeys', name: account.passkeys, icon: <PasskeyIcon /> },
  { href: '/secure', name: profile.checkUp, icon: <CheckIcon /> },
  ...(groups.includes(administrators) && !isAdministration
    ? [{ href: '/admin/accounts', name: admin.title, icon: <LockIcon /> }]
    : []),
]

const common = ['forms', 'failures', 'dates', 'account'] as const
