import type { ReactNode } from 'react'
import { EmptyList, Pager } from '@/components/admin/lists'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Select } from '@/components/ui/forms/controls'
import { Field } from '@/components/ui/forms/field'
import { TextLink } from '@/components/ui/text-link'
import { Day } from '@/components/ui/words/day'
import type { ListedAccount } from '@/lib/api/schemas'
import type { Words } from '@/lib/messages/en'
import { dateOf } from '@/lib/messages/format/dates'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const shows = ['', 'no-passkey', 'never-back', 'disabled'] as const

/** What the address asks for. */
export interface AccountFilter {
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
  /** The administrator's own */
  ownId: string
  language: PageLanguage
  /** Stands below the title */
  children: ReactNode
}

const path = '/admin/accounts'

/** Accounts to find. It needs no script: the filters are a form whose answer has an address. */
export function AccountList({ filter, groups, accounts, after, isFirst, ownId, language, children }: Props) {
  const words = language.words.adminAccounts
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-display font-semibold">{language.words.admin.accounts}</h1>
        <ButtonLink href="/admin/invitations?invite">{words.invite}</ButtonLink>
      </div>
      {children}
      <Filters filter={filter} groups={groups} words={words} isFiltered={isFiltered} />
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

function Filters({
  filter,
  groups,
  words,
  isFiltered,
}: Pick<Props, 'filter' | 'groups'> & { words: Words['adminAccounts']; isFiltered: boolean }) {
  const names = {
    '': words.everybody,
    'no-passkey': words.withoutPasskey,
    'never-back': words.neverBack,
    disabled: words.disabledOnes,
  }
  return (
    <search>
      <form
        method="get"
        action={path}
        className="mt-6 grid grid-cols-2 items-end gap-4 lg:grid-cols-[2fr_1fr_1fr_auto]"
      >
        <div className="max-lg:col-span-2">
          <Field
            name="query"
            type="search"
            label={words.search}
            placeholder={words.searchHint}
            defaultValue={filter.query}
            maxLength={254}
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
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
        <div className="flex flex-wrap items-center gap-x-4 max-lg:col-span-2">
          <button type="submit" className="button button-secondary">
            {words.find}
          </button>
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
          <th scope="col">{words.lastHere}</th>
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
          className="font-medium break-all outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent hover:underline"
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
          <p className="text-small break-all text-muted">
            <bdi translate="no">{email}</bdi>
          </p>
        )}
      </th>
      <td className="text-small max-md:block">{waysIn(account, language)}</td>
      <td className="text-small break-words max-md:block max-md:empty:hidden">
        {groups.length > 0 && (
          <>
            <span className="text-muted md:hidden">{adminAccounts.groups} </span>
            <bdi translate="no">{listed(locale, groups)}</bdi>
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
