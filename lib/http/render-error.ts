import type { Locale } from '@/lib/messages/locales'
import { localeOf } from './language'
import type { RenderError } from './response/answering'
import { errorResponse } from './response/error-response'

export const renderError: RenderError = (error, { headers }, requestId) =>
  errorResponse(error, localeOrEnglish(headers), requestId)

/** English if the settings are invalid, since the language depends on them. */
function localeOrEnglish(headers: Headers): Locale {
  try {
    return localeOf(headers)
  } catch {
    return 'en'
  }
}
