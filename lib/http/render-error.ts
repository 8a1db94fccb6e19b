import { localeOf } from './language'
import type { RenderError } from './response/answering'
import { errorResponse } from './response/error-response'

export const renderError: RenderError = (error, { headers }, requestId) =>
  errorResponse(error, localeOf(headers), requestId)
