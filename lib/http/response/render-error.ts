import { localeOf } from '../visitor/language'
import type { RenderError } from './error-boundary'
import { errorResponse } from './error-response'

export const renderError: RenderError = (error, { headers }, requestId) =>
  errorResponse(error, localeOf(headers), requestId)
