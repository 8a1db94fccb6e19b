import { readSettings } from '@/lib/settings/schema'

export const JWT_SECRET = 'kY0vQ2m8ZrT5xWb1sJh7LcUeN4pGdA9fVtX3oKi6RyE='

/** The settings and faults of an environment that has a good secret besides. */
export const read = (environment: Record<string, string>) => readSettings({ JWT_SECRET, ...environment })
