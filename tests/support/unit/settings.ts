import { readSettings } from '@/lib/settings/settings'
import { JWT_SECRET } from '../secret'

/** The settings and faults of an environment that has a good secret besides. */
export const read = (environment: Record<string, string>) => readSettings({ JWT_SECRET, ...environment })
