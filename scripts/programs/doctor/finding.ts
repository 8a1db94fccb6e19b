/** A line of the doctor's report. Only `FAIL` makes its exit code 1. */
export interface Finding {
  mark: 'ok' | 'warn' | 'FAIL'
  line: string
}

export const ok = (line: string): Finding => ({ mark: 'ok', line })
export const warn = (line: string): Finding => ({ mark: 'warn', line })
export const fail = (line: string): Finding => ({ mark: 'FAIL', line })

/** "168 h", "15 min", "100 s" */
export function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
