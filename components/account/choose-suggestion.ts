import type { Account } from '@/lib/api/schemas'

export type Suggestion = 'sign-in-method' | 'promotion' | 'cross-device' | 'codes'

export interface SuggestionContext {
  /** Signed in with a recovery code, and no passkey or password set up since. */
  needsSignInMethod: boolean
  /** Signed in with a password, just now. */
  signedInByPasswordRecently: boolean
}

interface Moment extends SuggestionContext {
  /** Whether this device itself can store a passkey for this address. */
  canKeepHere: boolean
  /** The passkey of another device that signed in here. */
  crossDevice: string | null
  isDismissed: (what: Suggestion) => boolean
}

/** New codes are suggested once this many are left. */
const fewCodes = 3

export function chooseSuggestion(account: Account, moment: Moment): Suggestion | null {
  const { needsSignInMethod, signedInByPasswordRecently, canKeepHere, crossDevice, isDismissed } = moment
  const fits: Record<Suggestion, boolean> = {
    'sign-in-method': needsSignInMethod,
    promotion: canKeepHere && signedInByPasswordRecently && account.passkeys.length === 0,
    'cross-device': canKeepHere && isOnAnotherDevice(account, crossDevice),
    codes: account.recoveryCodesLeft <= fewCodes,
  }
  return order.find((what) => fits[what] && !isDismissed(what)) ?? null
}

const order: Suggestion[] = ['sign-in-method', 'promotion', 'cross-device', 'codes']

/** Browsers report security keys as cross-platform too, but people carry those with them. */
function isOnAnotherDevice({ passkeys }: Account, id: string | null): boolean {
  const passkey = passkeys.find((one) => one.id === id)
  return passkey !== undefined && !passkey.transports.some((transport) => transport === 'usb' || transport === 'nfc')
}

/** @param passwords whether accounts may have one */
export function suggestionWords(
  suggestion: Suggestion,
  codesLeft: number,
  passwords: boolean,
): { title: string; text: string } {
  if (suggestion === 'codes' && codesLeft > 0)
    return {
      title: fewLeft(codesLeft),
      text: 'Create ten new codes before you run out. They replace your current ones.',
    }
  return suggestion === 'sign-in-method' && !passwords ? newPasskey : words[suggestion]
}

const fewLeft = (left: number) => `Only ${left} recovery ${left === 1 ? 'code' : 'codes'} left`

const newPasskey = {
  title: 'Create a new passkey',
  text: "You signed in with a recovery code, which won't work again. Create a passkey, so that you won't need another one.",
}

const words: Record<Suggestion, { title: string; text: string }> = {
  'sign-in-method': {
    title: 'Set up a new way to sign in',
    text: "You signed in with a recovery code, which won't work again. Create a passkey or set a password, so that you won't need another one.",
  },
  promotion: {
    title: 'Create a passkey on this device',
    text: 'Sign in with your fingerprint, face or screen lock. No password needed.',
  },
  'cross-device': {
    title: 'Create a passkey on this device, too',
    text: "You signed in with a passkey from another device. Create one here and you won't need that device next time.",
  },
  codes: {
    title: 'Save recovery codes',
    text: 'If you lose your devices, a recovery code lets you back in when nothing else can.',
  },
}
