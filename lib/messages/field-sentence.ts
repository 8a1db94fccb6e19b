import type { FieldError, FieldKey } from '@/lib/api/errors'
import { fieldSentences } from './en'

/** The sentence for what is wrong with a field. */
export function fieldSentence(error: FieldError): string {
  const sentences: Record<FieldKey, (parameters: never) => string> = fieldSentences
  return sentences[error.key](error as never)
}
