import type { Metadata } from 'next'
import { cache } from 'react'
import { findSignedIn, firstOf, loadAccountPage, loadPage, type PageProps } from '@/app/load-page'
import { AccountProvider, SignedInAs } from '@/components/account/account-provider'
import { DeviceButtons } from '@/components/apps/consent'
import { RequestedData } from '@/components/apps/request'
import { Callout } from '@/components/ui/feedback/callout'
import { Field } from '@/components/ui/forms/form'
import { CardShell, NoScript } from '@/components/ui/page/card-shell'
import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import type { DeviceRequest } from '@/lib/api/schemas'
import { loadDeviceRequest } from '@/lib/http/pages/app-requests'
import { cutsOf } from '@/lib/mark'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

/** Hides the question once it has its answer, which is then the title. */
const beforeAnswer = 'in-[main:has([data-answer])]:hidden'

/** The request of the code in the URL, once for the page and its title: each wrong code counts. */
const loadRequest = cache(async (typed: string) => {
  if (typed === '' || !(await findSignedIn())) return null
  return loadDeviceRequest((await loadPage()).headers, typed)
})

const titleFor = (found: DeviceRequest | string | null, { device }: Words) =>
  found !== null && typeof found !== 'string' && !found.obstacle ? device.question : device.title

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { language } = await loadPage()
  return { title: titleFor(await loadRequest(firstOf((await searchParams).user_code) ?? ''), language.words) }
}

/**
 * Where somebody enters the code that a device shows. It is made for a person whom a stranger has talked into it: it says where
 * the request came from and what it gives, and a link with the code in it allows nothing without a press either.
 */
export default async function DevicePage({ searchParams }: PageProps) {
  const query = await searchParams
  const typed = firstOf(query.user_code) ?? ''
  const path = typed === '' ? '/device' : `/device?${new URLSearchParams({ user_code: typed })}`
  const { language, site, account } = await loadAccountPage(path)
  const found = await loadRequest(typed)
  const { locale, words } = language
  const request = typeof found === 'string' ? null : found
  return (
    <CardShell
      language={language}
      namespaces={['device', 'account', 'dates']}
      query={query}
      site={site}
      cuts={cutsOf(account.id)}
      title={
        request ? (
          <Title request={request} asks={titleFor(request, words)} language={language} />
        ) : (
          titleFor(found, words)
        )
      }
      lead={request ? <Asking request={request} language={language} /> : words.device.lead}
      aside={
        <SignedInAs
          text={fill(locale, words.account.signedInAs, account)}
          links={[{ href: '/signout', name: words.account.signOut }]}
        />
      }
    >
      <AccountProvider account={account} site={site}>
        {request ? (
          <>
            <NoScript text={words.noScript.text} />
            <div className={beforeAnswer}>
              <Origin request={request} language={language} />
              {request.obstacle === undefined && (
                <RequestedData request={request} account={account} language={language} />
              )}
            </div>
            <DeviceButtons
              userCode={request.userCode}
              app={request.app.name}
              titleId={titleId}
              {...(request.obstacle && { obstacle: words.appRequest[obstacles[request.obstacle]] })}
            />
          </>
        ) : (
          <CodeForm
            typed={typed}
            error={found === null ? null : errors[found as keyof typeof errors]}
            language={language}
          />
        )}
      </AccountProvider>
    </CardShell>
  )
}

const errors = { not_found: 'wrongCode', too_many_attempts: 'tooMany' } as const
const obstacles = { not_a_member: 'notMemberText', passkey_required: 'passkeyText' } as const

interface CodeFormProps {
  typed: string
  error: 'wrongCode' | 'tooMany' | null
  language: PageLanguage
}

/** A form whose answer has an address, so that it needs no script. */
function CodeForm({ typed, error, language: { locale, words } }: CodeFormProps) {
  const { device } = words
  return (
    <form method="get" action="/device" className="space-y-5">
      <Field
        name="user_code"
        label={device.code}
        hint={fill(locale, device.codeHint, { example: 'BCDF-GHJK' })}
        missing={device.enterCode}
        defaultValue={typed}
        error={error === null ? undefined : device[error]}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        autoFocus
      />
      {/* No `Button`, whose script a form without one does not need. */}
      <button type="submit" className="button button-primary w-full">
        {device.goOn}
      </button>
    </form>
  )
}

interface RequestProps {
  request: DeviceRequest
  language: PageLanguage
}

const titleId = 'device-title'

const Title = ({ request: { app }, asks, language: { locale, words } }: RequestProps & { asks: string }) => (
  <span id={titleId}>
    <span className={beforeAnswer}>{asks}</span>
    <span className="hidden in-[main:has([data-answer=allowed])]:inline">
      {fill(locale, words.device.allowed, { app: app.name })}
    </span>
    <span className="hidden in-[main:has([data-answer=declined])]:inline">{words.device.declined}</span>
  </span>
)

const Asking = ({ request: { app, userCode }, language: { words } }: RequestProps) => (
  <span className={beforeAnswer}>
    <Filled
      message={words.device.asks}
      values={{
        app: <bdi>{app.name}</bdi>,
        code: (
          <bdi dir="ltr" translate="no" className="font-medium whitespace-nowrap text-ink">
            {userCode}
          </bdi>
        ),
      }}
    />
  </span>
)

/** Where the request came from, and what a stranger on the phone would not say. */
function Origin({ request: { from }, language: { words } }: RequestProps) {
  const { device } = words
  const when = <Moment at={from.at} />
  const address = <bdi dir="ltr">{from.address}</bdi>
  return (
    <Callout tone={from.isOwnNetwork ? 'info' : 'danger'} className="mb-5">
      <p>
        {from.browser === null ? (
          <Filled message={device.asked} values={{ address, when }} />
        ) : (
          <Filled message={device.askedBy} values={{ address, when, browser: from.browser }} />
        )}
      </p>
      {!from.isOwnNetwork && <p className="font-semibold">{device.otherNetwork}</p>}
      <p className="mt-2">{device.warning}</p>
    </Callout>
  )
}
