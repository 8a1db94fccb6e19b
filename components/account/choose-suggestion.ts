import type { Account } from '@/lib/api/schemas'

export type Suggestion = 'way-in' | 'promotion' | 'cross-device' | 'codes'

/** What the server knows of the moment. */
export interface SuggestionContext {
  /** In by a recovery code, and no new way in made since. */
  needsWayIn: boolean
  /** In by the password, and just now. */
  justCameByPassword: boolean
}

interface Moment extends SuggestionContext {
  /** Whether this very device can keep a passkey for this address. */
  canKeepHere: boolean
  /** The passkey of another device that signed in here. */
  crossDevice: string | null
  /** Whether the person has said "Not now" to it. */
  isDismissed: (what: Suggestion) => boolean
}

/** From this many recovery codes down it is time for new ones. */
const fewCodes = 3

/** The first suggestion that applies, or null. */
export function chooseSuggestion(account: Account, moment: Moment): Suggestion | null {
  const { needsWayIn, justCameByPassword, canKeepHere, crossDevice, isDismissed } = moment
  const fits: Record<Suggestion, boolean> = {
    'way-in': needsWayIn,
    promotion: canKeepHere && justCameByPassword && account.passkeys.length === 0,
    'cross-device': canKeepHere && isOnAnotherDevice(account, crossDevice),
    codes: account.recoveryCodesLeft <= fewCodes,
  }
  return order.find((what) => fits[what] && !isDismissed(what)) ?? null
}

const order: Suggestion[] = ['way-in', 'promotion', 'cross-device', 'codes']

/** A security key also counts as another device to the browser, but its owner carries it along. */
function isOnAnotherDevice({ passkeys }: Account, id: string | null): boolean {
  const passkey = passkeys.find((one) => one.id === id)
  return passkey !== undefined && !passkey.transports.some((transport) => transport === 'usb' || transport === 'nfc')
}

export function suggestionWords(suggestion: Suggestion, codesLeft: number): { title: string; text: string } {
  if (suggestion === 'codes' && codesLeft > 0)
    return { title: fewLeft(codesLeft), text: 'Make ten new ones before you run out. They replace the old ones.' }
  return words[suggestion]
}

const fewLeft = (left: number) => (left === 1 ? 'One recovery code is left' : `Only ${left} recovery codes are left`)

const words: Record<Suggestion, { title: string; text: string }> = {
  'way-in': {
    title: 'Make a new way to sign in',
    text: 'You came in with a recovery code, which is used up now. With a passkey or a password you will not need the next one.',
  },
  promotion: {
    title: 'Create a passkey on this device',
    text: 'Then your fingerprint, your face or your screen lock signs you in, and there is no password to type.',
  },
  'cross-device': {
    title: 'Create a passkey on this device, too',
    text: 'You signed in with a passkey from another device. With one here you will not need to reach for it next time.',
  },
  codes: {
    title: 'Be ready for a lost device',
    text: 'Ten recovery codes on paper let you in when nothing else does.',
  },
}
