import type { ReactNode } from 'react'
import { adminPage, loadAdministrators } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { addressOf, nameOf, operatorName } from '@/components/admin/lists'
import { ButtonLink } from '@/components/ui/button'
import { EmptyList } from '@/components/ui/card'
import { Disclosure, Select } from '@/components/ui/forms/controls'
import { Field } from '@/components/ui/forms/form'
import { TextLink } from '@/components/ui/text-link'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { administrators } from '@/lib/api/names'
import type { LogEntry } from '@/lib/api/schemas'
import type { Administration } from '@/lib/http/pages/administration'
import type { Words } from '@/lib/messages/en'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.admin.log)

export default adminPage('/admin/log', [], async ({ language, administration }, { searchParams }) => {
  const query = await searchParams
  const person = firstOf(query.person)?.trim() ?? ''
  const filter = {
    person,
    app: firstOf(query.app) ?? '',
    by: firstOf(query.by) ?? '',
  }
  const after = firstOf(query.after)
  const [apps, keys, admins, found] = await Promise.all([
    administration.load('/apps', {}),
    administration.load('/keys', {}),
    loadAdministrators(administration),
    person === '' ? null : findPerson(administration, person),
  ])
  const page = await administration.load('/log', {
    ...(filter.by && { by: filter.by }),
    ...(filter.app && { app: filter.app }),
    // It may be the id of an account that is deleted.
    ...(filter.person && { account: found?.id ?? person }),
    ...(after && { after }),
  })
  const operators = [
    ...Object.entries(admins).map(([id, name]) => ({ by: id, name, isKey: false })),
    ...(keys?.keys ?? []).map(({ name }) => ({ by: `key:${name}`, name, isKey: true })),
  ]
  return (
    <OperatorLog
      filter={{ ...filter, person: found?.username ?? person }}
      names={{
        people: page?.usernames ?? {},
        apps: Object.fromEntries((apps?.apps ?? []).map(({ id, name }) => [id, name])),
        operators,
      }}
      entries={page?.log ?? []}
      older={page?.after != null ? addressOf('/admin/log', { ...filter, after: page.after }) : null}
      newest={after === undefined ? null : addressOf('/admin/log', filter)}
      language={language}
    />
  )
})

/** By username, as typed, or by id, as the links of the log have it. */
const findPerson = async (administration: Administration, person: string) =>
  (await administration.load('/accounts/show', { username: person })) ??
  (await administration.load('/accounts/show', { id: person }))

/** What the address asks for. */
interface LogFilter {
  /** As typed: a username or an id */
  person: string
  app: string
  by: string
}

/** Who and what the ids of the log are; who is deleted is not in it. */
interface Names {
  people: Record<string, string>
  apps: Record<string, string>
  /** Those whom one can filter by: administrators and keys, as the log names them */
  operators: { by: string; name: string; isKey: boolean }[]
}

interface Props {
  filter: LogFilter
  names: Names
  entries: LogEntry[]
  /** The address of the next page, and of the first on a later one */
  older: string | null
  newest: string | null
  language: PageLanguage
}

/** What operators did, in sentences. It needs no script: the filters are a form whose answer has an address. */
function OperatorLog({ filter, names, entries, older, newest, language }: Props) {
  const words = language.words.operatorLog
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      <h1 className="text-display font-semibold">{language.words.admin.log}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
      {(entries.length > 0 || isFiltered) && (
        <div className="mt-4 flex flex-wrap gap-x-6 *:open:basis-full">
          <Filters filter={filter} names={names} words={language.words} />
          {isFiltered && <TextLink href="/admin/log">{words.clear}</TextLink>}
        </div>
      )}
      {entries.length === 0 ? (
        <EmptyList
          title={isFiltered ? words.noneFound : words.none}
          text={isFiltered ? words.noneFoundText : words.noneText}
        />
      ) : (
        <ol className="mt-6 divide-y divide-line rounded-card border border-line bg-surface px-card shadow-raised">
          {entries.map((entry) => (
            <li
              key={`${entry.at} ${entry.what} ${entry.account} ${entry.app} ${entry.group}`}
              className="flex flex-wrap items-baseline justify-between gap-x-6 py-3"
            >
              <p className="min-w-0 grow basis-64 break-words">
                <Sentence entry={entry} names={names} language={language} />
              </p>
              <p className="min-w-0 text-small break-words text-muted sm:basis-64 sm:text-end">
                <By by={entry.by} names={names} words={words} /> · <Moment at={entry.at} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {(older ?? newest) !== null && (
        <nav aria-label={words.pages} className="mt-6 flex flex-wrap gap-2.5">
          {newest !== null && <ButtonLink href={newest}>{words.newest}</ButtonLink>}
          {older !== null && <ButtonLink href={older}>{words.older}</ButtonLink>}
        </nav>
      )}
    </>
  )
}

/** Folded, since the names in the log are filters as well. Says what it shows alone. */
function Filters({
  filter,
  names,
  words: { admin, operatorLog: words },
}: Pick<Props, 'filter' | 'names'> & { words: PageLanguage['words'] }) {
  const apps = Object.entries(names.apps)
  const operator = names.operators.find(({ by }) => by === filter.by)?.name ?? operatorName(names.people, filter.by)
  const shown = [filter.person, nameOf(names.apps, filter.app) ?? filter.app, operator].filter(Boolean)
  return (
    <Disclosure title={[admin.filter, ...shown].join(' · ')}>
      <form
        method="get"
        action="/admin/log"
        className="grid grid-cols-1 items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]"
      >
        <Field
          name="person"
          label={words.person}
          defaultValue={filter.person}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Select name="app" label={words.app} defaultValue={filter.app}>
          <option value="">{words.all}</option>
          {/* One that is deleted has entries still. */}
          {filter.app !== '' && !Object.hasOwn(names.apps, filter.app) && (
            <option value={filter.app}>{filter.app}</option>
          )}
          {apps.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select name="by" label={words.operator} defaultValue={filter.by}>
          <option value="">{words.all}</option>
          {filter.by !== '' && !names.operators.some(({ by }) => by === filter.by) && (
            <option value={filter.by}>{operator}</option>
          )}
          {names.operators.map(({ by, name, isKey }) => (
            <option key={by} value={by}>
              {isKey ? `${words.keyPrefix} ${name}` : name}
            </option>
          ))}
        </Select>
        {/* No `Button`, whose script a form without one does not need. */}
        <button type="submit" className="button button-secondary min-h-11.5">
          {words.show}
        </button>
      </form>
    </Disclosure>
  )
}

function By({ by, names, words }: { by: string | null; names: Names; words: Words['operatorLog'] }) {
  if (by === null) return words.byCommand
  if (by.startsWith('key:'))
    return (
      <Filled
        message={words.byKey}
        values={{ name: <FilterLink field="by" value={by} text={by.slice('key:'.length)} /> }}
      />
    )
  return <FilterLink field="by" value={by} text={names.people[by] ?? words.deletedAccount} />
}

/** Shows only what has this. */
const FilterLink = ({ field, value, text }: { field: keyof LogFilter; value: string; text: string }) => (
  <a
    href={`/admin/log?${new URLSearchParams({ [field]: value })}`}
    className="text-accent underline underline-offset-2"
  >
    {text}
  </a>
)

function Sentence({ entry, names, language }: { entry: LogEntry; names: Names; language: PageLanguage }) {
  const { locale, words } = language
  const { operatorLog } = words
  const { what, account, app, group } = entry
  const person: ReactNode =
    account === null ? (
      operatorLog.somebody
    ) : (
      <FilterLink field="person" value={account} text={nameOf(names.people, account) ?? operatorLog.deletedAccount} />
    )
  const values = {
    person,
    app: app === null ? '' : <FilterLink field="app" value={app} text={nameOf(names.apps, app) ?? app} />,
    group: group === null ? '' : listed(locale, group.split(' ')),
  }
  const message = (operatorLog.events as Record<string, string>)[keyOf(entry)]
  // An event that a newer version of the server wrote, in the words of the security log.
  if (message === undefined) return fill(locale, operatorLog.unknown, { what })
  return <Filled message={message as '{person}{app}{group}'} values={values} />
}

/** The message of an entry: of some events there are several. */
function keyOf({ what, account, group }: LogEntry): string {
  if (what === 'signed_out_everywhere' && account === null) return 'everybody_signed_out'
  if (what !== 'invitation_made' || group === null) return what
  return group === administrators ? 'administrator_invited' : 'invitation_made_with_groups'
}
