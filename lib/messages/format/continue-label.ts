import type { PageLanguage } from '../page-words'
import { fill } from './fill'

/** "Continue", and to which app if it is one. */
export const continueLabel = ({ locale, words }: PageLanguage, app: string | null): string =>
  app === null ? words.account.continue : fill(locale, words.profile.continueTo, { app })
