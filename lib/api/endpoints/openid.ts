import * as z from 'zod'
import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

/** The GET has the parameters of the form that its POST takes. */
const inQuery = (form: z.ZodObject) =>
  Object.entries(z.toJSONSchema(form).properties ?? {}).map(([name, property]) => {
    const { description = '', ...schema } = property as z.core.JSONSchema.JSONSchema
    return { in: 'query', name, description, schema } as const
  })

export const openIdEndpoints = {
  'GET /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: inQuery(schemas.authorizationInput),
    results: { 200: schemas.page, 303: null, 400: schemas.page },
    oauth: [],
    summary: 'Where an app sends the browser to sign a person in (OpenID Connect Core section 3.1.2)',
  },
  'POST /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    body: schemas.authorizationInput,
    form: true,
    results: { 303: null },
    oauth: [],
    summary: 'Redirects to the same request by GET, since a form of another site sends no cookie',
  },
  'POST /api/oauth/token': {
    caller: 'app',
    origin: 'any',
    body: schemas.tokenInput,
    form: true,
    results: { 200: schemas.tokenResponse },
    oauth: [
      ...(['invalid_grant', 'invalid_scope', 'invalid_target', 'unauthorized_client'] as const),
      ...(['unsupported_grant_type', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const),
    ],
    summary:
      'Issues tokens to an app for a code or a refresh token, or to a machine for its secret (RFC 6749 sections 4.1.3, 6 and 4.4)',
  },
  'POST /api/oauth/device': {
    caller: 'app',
    origin: 'any',
    body: schemas.deviceInput,
    form: true,
    results: { 200: schemas.deviceCodes },
    oauth: ['invalid_scope', 'invalid_target', 'unauthorized_client'],
    summary: 'Gives a device a code to show, which somebody enters on another device (RFC 8628 section 3.1)',
  },
  'POST /api/oauth/device/request': {
    caller: 'session',
    body: schemas.userCodeInput,
    results: { 200: schemas.deviceRequest },
    errors: ['not_found', 'too_many_attempts'],
    summary:
      "What the page `/device` shows of a device's request, by its code: ten wrong ones an hour for an account or network",
  },
  'POST /api/oauth/device/answer': {
    caller: 'session-and-maybe-step-up',
    body: schemas.deviceAnswerInput,
    results: { 204: null },
    errors: ['not_found', 'not_allowed', 'too_many_attempts'],
    summary: 'Records whether the person allows what the device asks. Allowing `offline_access` needs a step-up token',
  },
  'POST /api/oauth/revoke': {
    caller: 'app',
    origin: 'any',
    body: schemas.revocationInput,
    form: true,
    results: { 200: null },
    oauth: [],
    summary: "Revokes an app's access or refresh token; 200 whether or not it was valid (RFC 7009)",
  },
  'GET /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    results: { 200: schemas.userinfo },
    oauth: [],
    summary: 'What the scopes of an access token release (OpenID Connect Core section 5.3)',
  },
  'POST /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    body: schemas.userinfoInput,
    bodyOptional: true,
    form: true,
    results: { 200: schemas.userinfo },
    oauth: [],
    summary:
      'What the scopes of an access token release (OpenID Connect Core section 5.3); the token may be in the form, too',
  },
  'POST /api/oauth/request': {
    caller: 'session',
    body: schemas.appRequestInput,
    results: { 200: schemas.appRequest },
    errors: [],
    summary: "What the page `/consent` shows of an app's request",
  },
  'POST /api/oauth/consent': {
    caller: 'session-and-maybe-step-up',
    body: schemas.consentInput,
    results: { 200: schemas.onward },
    errors: ['too_many_attempts'],
    summary:
      "Records whether the person consents to an app's request; `location` is where the browser continues. Allowing `offline_access` needs a step-up token, unless the app has it",
  },
  'GET /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: inQuery(schemas.logoutInput),
    results: { 303: null },
    oauth: [],
    summary:
      'Where an app sends the browser to end the session here, too; asks the person first, unless the hint is of this session (OpenID Connect RP-Initiated Logout)',
  },
  'POST /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    body: schemas.logoutInput,
    form: true,
    results: { 303: null },
    oauth: [],
    summary: 'Redirects to the same request by GET, since a form of another site sends no cookie',
  },
  'POST /api/oauth/logout/request': {
    caller: 'session',
    body: schemas.signOutRequestInput,
    results: { 200: schemas.signOutRequest },
    errors: [],
    summary: "What the page `/signout` shows of an app's logout",
  },
  'POST /api/oauth/logout/confirm': {
    caller: 'session',
    body: schemas.signOutRequestInput,
    results: { 200: schemas.onward },
    errors: [],
    summary: "Ends the session after an app's logout; `location` is where the browser continues",
  },
} as const satisfies Endpoints
