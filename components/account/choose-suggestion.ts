import type { Account } from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'
import type { Words } from '@/lib/messages/en'
import type { Message } from '@/lib/messages/message'

export type Suggestion = 'sign-in-method' | 'promotion' | 'cross-device' | 'codes'

export interface SuggestionContext {
  /** Signed in with a recovery code, and no passkey or password set up since. */
  needsSignInMethod: boolean
  /** Signed in with a password, just now, and has added no passkey since: the device may be new. */
  signedInByPasswordRecently: boolean
}

interface SuggestionInput extends SuggestionContext {
  /** True if this device itself can store a passkey for this page */
  canKeepHere: boolean
  /** The passkey of another device that signed in here. */
  crossDevice: string | null
  isDismissed: (what: Suggestion) => boolean
}

/** Suggests new codes once so many are left. */
const fewCodes = 3

export function chooseSuggestion(account: Account, input: SuggestionInput): Suggestion | null {
  const { needsSignInMethod, signedInByPasswordRecently, canKeepHere, crossDevice, isDismissed } = input
  const fits: Record<Suggestion, boolean> = {
    'sign-in-method': needsSignInMethod,
    promotion: canKeepHere && signedInByPasswordRecently,
    'cross-device': canKeepHere && isOnAnotherDevice(account, crossDevice),
    codes: needsCodes(account),
  }
  return order.find((what) => fits[what] && !isDismissed(what)) ?? null
}

export const needsCodes = ({ recoveryCodesLeft }: Account) => recoveryCodesLeft <= fewCodes

/** Whether the account lacks it, rather than this device. */
export const isMissing = (suggestion: Suggestion) => suggestion === 'codes' || suggestion === 'sign-in-method'

const order: Suggestion[] = ['sign-in-method', 'promotion', 'cross-device', 'codes']

/** Browsers report security keys as cross-platform too, but people carry those with them. */
function isOnAnotherDevice({ passkeys }: Account, id: string | null): boolean {
  const passkey = passkeys.find((one) => one.id === id)
  return passkey !== undefined && !isSecurityKey(passkey.transports)
}

/** @param passwords whether accounts may have one */
export function suggestionWords(
  words: Words['suggestions'],
  suggestion: Suggestion,
  codesLeft: number,
  passwords: boolean,
): { title: Message; text: string } {
  if (suggestion === 'codes' && codesLeft > 0) return { title: words.fewCodes, text: words.fewCodesText }
  if (suggestion === 'codes') return { title: words.codes, text: words.codesText }
  if (suggestion === 'promotion') return { title: words.promotion, text: words.promotionText }
  if (suggestion === 'cross-device') return { title: words.crossDevice, text: words.crossDeviceText }
  return passwords
    ? { title: words.newWay, text: words.newWayText }
    : { title: words.newPasskey, text: words.newPasskeyText }
}
