/**
 * What the server knows of the last sign-in in this browser, as `readRememberedSignIn()` hands it to components. Shown before
 * a sign-in, also to the next person at a shared computer: the name needs its owner's consent.
 */
export interface RememberedSignIn {
  method: 'passkey' | 'password' | null
  username: string | null
}
