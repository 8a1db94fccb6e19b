/** Names the account that a page shows: the server does nothing for another one. */
export const accountHeader = 'Latchkey-Account'

/** Carries the step-up token. */
export const stepUpHeader = 'Latchkey-Step-Up'
