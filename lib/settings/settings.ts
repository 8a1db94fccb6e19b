import { singleton } from '@/lib/process/singleton'
import { readSettings, type Settings } from './schema'

/** Invalid settings. Each line of `faults` names a variable, its fault and what would be right. */
export class SettingsError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** The reasons why something cannot start, one a line: every fault of the settings or of a file, or the message of another error. */
export const faultsOf = (error: unknown): string[] =>
  (error as Partial<SettingsError>).faults ?? [error instanceof Error ? error.message : String(error)]

/** Lists the faults below a title, for standard error. */
export const faultReport = (title: string, error: unknown): string =>
  [`${title}:`, ...faultsOf(error).map((line) => `  ${line}`), ''].join('\n')

/** Reads a variable that an operator's file names, such as one with a secret. */
export const variable = (name: string): string | undefined => process.env[name]

/** The settings of this process, read from the environment once. @throws SettingsError */
export function settings(): Settings {
  return singleton('settings', () => {
    const { settings: valid, faults } = readSettings(process.env)
    if (!valid) throw new SettingsError(faults)
    return valid
  })
}
