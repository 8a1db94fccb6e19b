/** Who is signed in. Keep an app's data under `id`, which never changes; `name` is for display alone. */
export interface User {
  /** The claim `sub` */
  id: string
  username: string
  name: string
  /** Null unless the provider has verified it */
  email: string | null
  groups: string[]
}
