import type { ReactNode } from 'react'
import { adminPage } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { AccountQuery, Pager } from '@/components/admin/lists'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { EmptyList } from '@/components/ui/card'
import { Disclosure, Select } from '@/components/ui/forms/controls'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { TextLink } from '@/components/ui/text-link'
import { Day } from '@/components/ui/words/day'
import { administrators } from '@/lib/api/names'
import type { ListedAccount } from '@/lib/api/schemas'
import type { Words } from '@/lib/messages/en'
import { dateOf } from '@/lib/messages/format/dates'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

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
    // One of two, since that of the first administrator is at most one, and invites nobody else.
    isStart ? administration.load('/invitations', { limit: 2 }) : null,
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
              hasPeople:
                (page?.accounts.length ?? 0) > 1 ||
                (invitations?.invitations ?? []).some(({ groups }) => !groups.includes(administrators)),
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

const shows = ['', 'no-passkey', 'never-back', 'disabled'] as const

/** What the address asks for. */
interface AccountFilter {
  query: string
  group: string
  show: (typeof shows)[number]
}

interface Props {
  filter: AccountFilter
  groups: readonly string[]
  accounts: ListedAccount[]
  after: string | null
  isFirst: boolean
  /** The id of the administrator's own account */
  ownId: string
  language: PageLanguage
  /** Stands below the title */
  children: ReactNode
}

const path = '/admin/accounts'

/** Accounts to find. It needs no script: the filters are a form whose answer has an address. */
function AccountList({ filter, groups, accounts, after, isFirst, ownId, language, children }: Props) {
  const words = language.words.adminAccounts
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-display font-semibold">{language.words.admin.accounts}</h1>
        <ButtonLink href="/admin/invitations?invite">{words.invite}</ButtonLink>
      </div>
      {children}
      <Search filter={filter} groups={groups} words={language.words} />
      {accounts.length > 0 && <Table accounts={accounts} ownId={ownId} language={language} />}
      {accounts.length === 0 && (
        <EmptyList
          title={after === null ? words.none : words.noneYet}
          text={after === null ? words.noneText : words.noneYetText}
        />
      )}
      <Pager language={language} path={path} query={{ ...filter }} after={after} isFirst={isFirst} />
    </>
  )
}

/** The search, and behind "Filter" what few need: on a phone, the list begins on the first screen. */
function Search({
  filter,
  groups,
  words: { admin, adminAccounts: words },
}: Pick<Props, 'filter' | 'groups'> & { words: PageLanguage['words'] }) {
  const names = {
    '': words.everybody,
    'no-passkey': words.withoutPasskey,
    'never-back': words.neverBack,
    disabled: words.disabledOnes,
  }
  const shown = [filter.group, filter.show && names[filter.show]].filter(Boolean)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  // No `Button`, whose script a form without one does not need.
  const find = (
    <button type="submit" className="button button-secondary min-h-11.5">
      {words.find}
    </button>
  )
  return (
    <search>
      <form method="get" action={path} className="mt-6">
        <div className="flex max-w-2xl flex-wrap items-end gap-2.5">
          <div className="min-w-0 grow basis-52">
            <AccountQuery label={words.search} defaultValue={filter.query} />
          </div>
          {find}
        </div>
        <div className="mt-1 flex flex-wrap gap-x-6 *:open:basis-full">
          <Disclosure title={[admin.filter, ...shown].join(' · ')}>
            <div className="grid max-w-2xl grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-end gap-4 sm:grid-cols-[1fr_1fr_auto]">
              <Select name="group" label={words.group} defaultValue={filter.group}>
                <option value="">{words.allGroups}</option>
                {filter.group !== '' && !groups.includes(filter.group) && (
                  <option value={filter.group}>{filter.group}</option>
                )}
                {groups.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </Select>
              <Select name="show" label={words.show} defaultValue={filter.show}>
                {shows.map((one) => (
                  <option key={one} value={one}>
                    {names[one]}
                  </option>
                ))}
              </Select>
              <div>{find}</div>
            </div>
          </Disclosure>
          {isFiltered && <TextLink href={path}>{words.clear}</TextLink>}
        </div>
      </form>
    </search>
  )
}

/** A table, whose rows are cards on a phone. */
function Table({ accounts, ownId, language }: Pick<Props, 'accounts' | 'ownId' | 'language'>) {
  const words = language.words.adminAccounts
  return (
    <table className="mt-6 w-full border-separate border-spacing-0 rounded-card border border-line bg-surface text-start shadow-raised max-md:block">
      <caption className="sr-only">{language.words.admin.accounts}</caption>
      {/* On a phone the cells say what they are. */}
      <thead className="max-md:hidden">
        <tr className="text-small text-muted *:border-b *:border-line *:px-3 *:py-3 *:text-start *:font-medium *:first:ps-(--card-inset) *:last:pe-(--card-inset)">
          <th scope="col">{words.person}</th>
          <th scope="col">{words.waysIn}</th>
          <th scope="col">{words.groups}</th>
          <th scope="col" className="lg:whitespace-nowrap">
            {words.lastHere}
          </th>
          <th scope="col">{words.created}</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {accounts.map((account) => (
          <Row key={account.id} account={account} isOwn={account.id === ownId} language={language} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ account, isOwn, language }: { account: ListedAccount; isOwn: boolean; language: PageLanguage }) {
  const { locale, clock, words } = language
  const { adminAccounts } = words
  const { id, username, displayName, email, groups, createdAt, lastActiveAt, disabled } = account
  return (
    <tr className="relative hover:bg-sunken max-md:block max-md:border-line max-md:px-card max-md:py-3 max-md:not-first:border-t md:*:border-line md:*:px-3 md:*:py-3 md:*:align-top md:*:first:ps-(--card-inset) md:*:last:pe-(--card-inset) md:not-first:*:border-t">
      <th scope="row" className="text-start font-normal max-md:block">
        {/* The whole row is the link, for a finger. */}
        <a
          href={`${path}/${id}`}
          className="font-medium wrap-anywhere outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent hover:underline"
        >
          <bdi translate="no">{username}</bdi>
        </a>
        {isOwn && <Badge tone="accent">{adminAccounts.you}</Badge>}
        {disabled && <Badge>{adminAccounts.disabled}</Badge>}
        {displayName !== null && (
          <p className="break-words">
            <bdi translate="no">{displayName}</bdi>
          </p>
        )}
        {email !== null && (
          <p className="text-small wrap-anywhere text-muted">
            <bdi translate="no">{email}</bdi>
          </p>
        )}
      </th>
      <td className="text-small first-letter:uppercase max-md:block lg:whitespace-nowrap">
        {waysIn(account, language)}
      </td>
      <td className="text-small break-words max-md:block max-md:empty:hidden">
        {groups.length > 0 && (
          <>
            <span className="text-muted md:hidden">{adminAccounts.groups} </span>
            {/* No bdi, which would take its direction from the first name. */}
            <span translate="no">{listed(locale, groups)}</span>
          </>
        )}
      </td>
      <td className="text-small max-md:block md:whitespace-nowrap">
        <span className="text-muted md:hidden">{adminAccounts.lastHere} </span>
        {lastActiveAt === null ? (
          <span className="text-muted">{adminAccounts.notLately}</span>
        ) : (
          dateOf(locale, lastActiveAt, { zone: 'UTC', now: clock.now })
        )}
      </td>
      <td className="text-small max-md:hidden md:whitespace-nowrap">
        <Day at={createdAt} />
      </td>
    </tr>
  )
}

function waysIn({ passkeys, hasPassword }: ListedAccount, { locale, words: { adminAccounts: words } }: PageLanguage) {
  const ways = [
    ...(passkeys.length > 0 ? [fill(locale, words.passkeyCount, { count: passkeys.length })] : []),
    ...(hasPassword ? [words.password] : []),
  ]
  return ways.length > 0 ? listed(locale, ways) : words.noWayIn
}

/** What stands already, which tells what is left to do. */
interface Standing {
  /** Somebody else is here, or invited */
  hasPeople: boolean
  hasApps: boolean
  hasSecondAdministrator: boolean
}

/** The way from an empty server to one that people use. Nothing is stored of it: it goes away once all of it stands. */
function FirstSteps({ standing, words }: { standing: Standing; words: Words['firstSteps'] }) {
  const { hasPeople, hasApps, hasSecondAdministrator } = standing
  if (hasPeople && hasApps && hasSecondAdministrator) return null
  const steps = [
    { ...words.people, href: '/admin/invitations?invite', isDone: hasPeople },
    { ...words.app, href: '/admin/apps?add', isDone: hasApps },
    { ...words.second, href: '/admin/groups/admins', isDone: hasSecondAdministrator },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 rounded-card border border-line bg-surface px-card py-4 shadow-raised"
    >
      <h2 id="first-steps" className="text-title font-semibold">
        {words.title}
      </h2>
      <ol className="mt-3 grid grid-cols-1 gap-3 lg:grid-cols-3">
        {steps.map(({ title, text, href, isDone }, index) => (
          <li key={href} className="flex gap-3">
            <span
              aria-hidden="true"
              className={`grid size-7 shrink-0 place-items-center rounded-full text-small font-semibold ${isDone ? 'bg-success-wash text-success' : markLook(index === next)}`}
            >
              {isDone ? <CheckIcon /> : index + 1}
            </span>
            <div className="min-w-0">
              {isDone ? (
                <p className="font-medium text-muted">
                  <span className="sr-only">{words.done} </span>
                  {title}
                </p>
              ) : (
                <a href={href} className="inline-flex min-h-7 font-medium text-accent hover:underline">
                  {title}
                </a>
              )}
              {!isDone && <p className="text-small text-muted">{text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const markLook = (isNext: boolean) => (isNext ? 'bg-accent text-on-accent' : 'bg-sunken text-muted')
