import type * as z from 'zod'
import type { ErrorCode } from '../errors'
import type { OAuthErrorCode } from '../oauth-errors'
import type { Area } from '../schemas/operator'

/** The handler of GET answers HEAD, too. */
export type HttpMethod = 'GET' | 'POST'

/** What an operation of the API reads, answers and requires. */
export type Endpoint = Contract &
  (SameOriginRow | AnyOriginRow) &
  (OwnErrorsRow | OAuthErrorsRow) &
  (AdministratorRow | OtherRow)

interface SameOriginRow {
  /** Whose pages may call it: ours, or with `listed` those of CLIENT_ORIGINS, too. */
  origin?: 'own' | 'listed'
}

/**
 * For everybody's pages, or with `navigation` for links and forms of theirs, which cannot read the answer. Browsers attach
 * our cookie whatever the page, so no caller that a cookie identifies (CSRF).
 */
interface AnyOriginRow {
  origin: 'any' | 'navigation'
  caller: 'anyone' | 'app' | 'bearer'
}

/** What an operator needs at an endpoint. */
export interface AdministratorRights {
  /** The areas that a key needs; null where no key may */
  areas: readonly Area[] | null
  /** Then a session also shows a step-up, and no read-only key may. `unless-check`: the action decides */
  writes: boolean | 'unless-check'
}

interface AdministratorRow {
  caller: 'administrator'
  body: z.ZodType
  origin?: never
  rights: AdministratorRights
}

interface OtherRow {
  caller: Exclude<Contract['caller'], 'administrator'>
  rights?: never
}

interface OwnErrorsRow {
  caller: Exclude<Contract['caller'], 'app' | 'bearer'>
  /** Codes beyond those that `errorsOf` derives. */
  errors: readonly ErrorCode[]
  oauth?: never
}

/** For apps: all errors have OAuth's format. An app may name itself in the form. */
type OAuthErrorsRow = {
  /** Codes beyond those that `oauthErrorsOf` derives. */
  oauth: readonly OAuthErrorCode[]
  errors?: never
} & ({ caller: 'anyone' | 'bearer' } | { caller: 'app'; body: z.ZodType; form: true; bodyOptional?: never })

interface Contract {
  /**
   * - `session`: the session's cookie or bearer token
   * - `session-and-maybe-step-up`: a session; its step-up token, if sent, reaches the action, since some requests need it
   * - `step-up`: a session and its step-up token in `Latchkey-Step-Up`
   * - `step-up-if-session`: without a session anyone, with one also its step-up token
   * - `app`: an app by its id, and its secret unless it is public (RFC 6749 section 2.3)
   * - `bearer`: an app's access token (RFC 6750)
   * - `administrator`: an administrator's session, or an operator's key, with the rights of the row
   * - `cron`: CRON_SECRET as a bearer token; while it is not set anybody once an hour where no process keeps running, else nobody
   */
  caller:
    | 'anyone'
    | 'session'
    | 'session-and-maybe-step-up'
    | 'step-up'
    | 'step-up-if-session'
    | 'app'
    | 'bearer'
    | 'administrator'
    | 'cron'
  /** JSON that is read, or a form; without a schema a body is ignored. */
  body?: z.ZodType
  /** Bytes of the body, where it may be longer than others; it is read once the caller is known. */
  maxBody?: number
  /** The body is a form (`application/x-www-form-urlencoded`) in place of JSON. */
  form?: true
  /** Answers once letters or webhooks are sent, which takes longer than any other work. */
  sends?: true
  /** Answers 404 with PASSWORDS=off. */
  usesPassword?: true
  /** Answers 404 without MAIL_RECOVERY. */
  usesRecovery?: true
  /** Whether the body may be left out. */
  bodyOptional?: true
  /** Read besides body and credentials; all are optional. */
  parameters?: readonly { in: 'query' | 'header'; name: string; description: string; schema: object }[]
  /** The schema of the body by status, lowest first; null for no body. */
  results: Record<number, z.ZodType | null>
  summary: string
}

/** A GET is admitted from any origin, since links lead to it, so none is for the callers `session` and `step-up` (CSRF). */
type GetEndpoint = Endpoint & { caller: 'anyone' | 'bearer' | 'cron' }

/** Operations by method and path. */
export type Endpoints = Record<`GET /${string}`, GetEndpoint> & Record<`POST /${string}`, Endpoint>
