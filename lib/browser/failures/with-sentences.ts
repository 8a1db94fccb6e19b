import { ApiClientError } from './errors'
import type { FailureCode } from './outcomes'

/** An action whose errors have sentences with a particular meaning here, by code. */
export const withSentences =
  (sentences: Partial<Record<FailureCode, string>>, action: () => Promise<unknown>) => (): Promise<unknown> =>
    action().catch((error: unknown) => {
      if (!(error instanceof ApiClientError)) throw error
      const sentence = sentences[error.code]
      throw sentence ? new ApiClientError(error.code, { ...error.details, sentence }) : error
    })
