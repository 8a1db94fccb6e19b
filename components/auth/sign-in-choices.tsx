import { AccountChip, AccountLink } from '@/components/account/account-chip'
import { SwitchPageLink } from '@/components/auth/sign-up-links'
import { ButtonLink } from '@/components/ui/button'
import { TextLink } from '@/components/ui/text-link'
import type { RememberedPerson, Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

/** Whom /signin asks, and for what. */
export interface Asked {
  /** Null where it asks for a username */
  person: RememberedPerson | null
  /** Their place among those who are remembered */
  index: number | null
  /** True if more people are remembered */
  others: boolean
  /** True if the page has to ask who it is */
  chooses: boolean
  /** True if the app takes a passkey only */
  needsPasskey: boolean
  /** True if the person may sign in in the other way */
  mayChange: boolean
  asksFor: 'passkey' | 'password' | 'either'
}

type SignInWords = Words['signIn']

const hrefOf = (next: string | undefined, choice: Record<string, string>) =>
  `?${new URLSearchParams({ ...(next !== undefined && { next }), ...choice })}`

const detailOf = ({ method }: RememberedPerson, words: SignInWords) =>
  method && (method === 'passkey' ? words.byPasskey : words.byPassword)

interface ChooseProps {
  people: RememberedPerson[]
  words: SignInWords
  next: string | undefined
}

/** Asks which of several people at one browser signs in. */
export const ChooseAccount = ({ people, words, next }: ChooseProps) => (
  <ul className="space-y-2.5">
    {people.map((person, index) => (
      <li key={person.cuts}>
        <AccountLink {...person} detail={detailOf(person, words)} href={hrefOf(next, { as: String(index) })} />
      </li>
    ))}
    <li>
      <OtherAccount words={words} next={next} />
    </li>
  </ul>
)

/** Asks for a username. */
export const OtherAccount = ({ words, next }: Omit<ChooseProps, 'people'>) => (
  <div className="grid">
    <ButtonLink look="quiet" href={hrefOf(next, { as: 'other' })}>
      {words.anotherAccount}
    </ButtonLink>
  </div>
)

interface KnownProps {
  person: RememberedPerson
  asked: Asked
  words: SignInWords
  next: string | undefined
}

/** The person whom the page asks. The view for a recovery code has a field for the name. */
export const KnownPerson = ({ person, asked: { others }, words, next }: KnownProps) => (
  <div className="mb-4 in-[main:has([name=code])]:hidden">
    <AccountChip
      {...person}
      change={{ href: others ? hrefOf(next, {}) : hrefOf(next, { as: 'other' }), name: words.change }}
    />
  </div>
)

/** Asks whether this browser may remember the username. Nothing is kept unless the person says so. */
export const RememberUsername = ({ text }: { text: string }) => (
  <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-small">
    <input type="checkbox" name="remember" className="size-4.5 shrink-0" />
    {text}
  </label>
)

interface OtherProps {
  asked: Asked
  words: Pick<Words, 'signIn' | 'forms'>
  next: string | undefined
}

/** The other ways to sign in, each as a link to the same page. */
export function OtherWays({ asked: { index, asksFor, needsPasskey, mayChange }, words, next }: OtherProps) {
  const { signIn, forms } = words
  if (asksFor === 'either' || !mayChange) return null
  const by = asksFor === 'passkey' ? 'password' : 'passkey'
  const usePassword = needsPasskey ? signIn.noPasskeyYet : signIn.usePassword
  return (
    <div className="mt-2 grid">
      <ButtonLink look="quiet" href={hrefOf(next, { as: index === null ? 'other' : String(index), by })}>
        {by === 'password' ? usePassword : forms.usePasskeyInstead}
      </ButtonLink>
    </div>
  )
}

/** Makes this browser forget its last sign-in; `preparePage()` removes the cookie. Works without JavaScript. */
export function ForgetLink({ text, next }: { text: string; next?: string | undefined }) {
  const query = next === undefined ? '?forget' : `?${new URLSearchParams({ next })}&forget`
  return (
    <p>
      <a
        href={query}
        rel="nofollow"
        className="inline-flex min-h-11 items-center text-center text-small text-balance text-muted underline decoration-edge underline-offset-4 hover:text-ink"
      >
        {text}
      </a>
    </p>
  )
}

/** Leads to the ways back into an account, where there are more than a recovery code. */
export const CannotSignIn = ({ text }: { text: string }) => (
  // The view for a recovery code has such a link of its own.
  <p className="text-center in-[main:has([name=code])]:hidden">
    <TextLink href="/recover">{text}</TextLink>
  </p>
)

interface SignUpHintProps {
  language: PageLanguage
  site: Site
  href: string
}

/** Advises people without an account on the sign-in page. Those with an invitation come by its own link. */
export function SignUpHint({ language: { locale, words }, site: { appName, signUp }, href }: SignUpHintProps) {
  const { newHere, createAccount, byInvitation } = words.signIn
  const question = fill(locale, newHere, { app: appName })
  if (signUp === 'open') return <SwitchPageLink question={question} href={href} name={createAccount} />
  return (
    signUp === 'invited' && (
      <p className="text-muted">
        {question} {byInvitation}
      </p>
    )
  )
}
