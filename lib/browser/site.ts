/** The site that a page belongs to. Passkeys work only at `origins`. */
export interface Site {
  appName: string
  origins: string[]
  originConfigured: boolean
}
