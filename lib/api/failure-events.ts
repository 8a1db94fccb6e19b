/** Attempts to sign in that failed, as an account's events name them. */
export const failureEvents = ['signin_failed', 'locked_out'] as const

export type FailureEvent = (typeof failureEvents)[number]

export const isFailureEvent = (type: string): type is FailureEvent => failureEvents.some((one) => one === type)
