import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

/** What operators do from afar. Each is the command of the same name. */
export const adminEndpoints = {
  'POST /api/admin/accounts/show': {
    caller: 'administrator',
    rights: { areas: ['accounts'], writes: false },
    body: schemas.showAccountInput,
    results: { 200: schemas.shownAccount },
    errors: [],
    summary: 'An account, its passkeys, sessions and latest events',
  },
  'POST /api/admin/accounts/disable': {
    caller: 'administrator',
    rights: { areas: ['accounts'], writes: true },
    body: schemas.accountInput,
    results: { 200: schemas.changedAccount },
    errors: ['last_administrator'],
    summary: 'Ends all sessions of an account, and keeps it from signing in',
  },
  'POST /api/admin/accounts/enable': {
    caller: 'administrator',
    rights: { areas: ['accounts'], writes: true },
    body: schemas.accountInput,
    results: { 200: schemas.changedAccount },
    errors: [],
    summary: 'Lets a disabled account sign in again',
  },
  'POST /api/admin/accounts/sign-out': {
    caller: 'administrator',
    rights: { areas: ['accounts'], writes: true },
    body: schemas.accountInput,
    results: { 200: schemas.changedAccount },
    errors: [],
    summary: 'Ends all sessions of an account',
  },
  'POST /api/admin/accounts/name': {
    caller: 'administrator',
    rights: { areas: ['accounts'], writes: true },
    body: schemas.nameAccountInput,
    results: { 200: schemas.changedAccount },
    errors: [],
    summary: 'Changes the display name of an account, or removes it',
  },
  'POST /api/admin/log': {
    caller: 'administrator',
    rights: { areas: null, writes: false },
    body: schemas.listLogInput,
    results: { 200: schemas.operatorLog },
    errors: [],
    summary: 'What operators did in the last 400 days, by commands, with keys and as administrators, newest first',
  },
} as const satisfies Endpoints
