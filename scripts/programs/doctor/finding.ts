/** A line of the doctor's report. Only `FAIL` makes its exit code 1. */
export interface Finding {
  mark: 'ok' | 'warn' | 'FAIL'
  line: string
}

export const ok = (line: string): Finding => ({ mark: 'ok', line })
export const warn = (line: string): Finding => ({ mark: 'warn', line })
export const fail = (line: string): Finding => ({ mark: 'FAIL', line })
