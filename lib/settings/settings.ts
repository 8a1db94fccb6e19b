import { singleton } from '@/lib/process/singleton'
import { readSettings, type Settings } from './schema'

/** Invalid settings. Each line of `faults` names a variable, what is wrong with it and what would be right. */
export class SettingsError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** Why something cannot start, a line for each reason: every invalid setting, or the message of another error. */
export const faultsOf = (error: unknown): string[] =>
  error instanceof SettingsError ? error.faults : [error instanceof Error ? error.message : String(error)]

/** The faults below a title, for standard error. */
export const faultReport = (title: string, error: unknown): string =>
  [`${title}:`, ...faultsOf(error).map((line) => `  ${line}`), ''].join('\n')

/** The settings of this process, read from the environment once. @throws SettingsError */
export function settings(): Settings {
  return singleton('settings', () => {
    const { settings: valid, faults } = readSettings(process.env)
    if (!valid) throw new SettingsError(faults)
    return valid
  })
}
