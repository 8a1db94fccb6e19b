/** What a page knows of where it runs: passkeys work at `origins` alone. */
export interface Site {
  appName: string
  origins: string[]
  originConfigured: boolean
}
