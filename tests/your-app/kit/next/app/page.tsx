import Link from 'next/link'
import { auth } from '../auth'

export default async function Home() {
  const user = await auth()
  if (!user)
    return (
      <p>
        <a href="/auth/sign-in">Sign in</a> to see your <Link href="/notes">notes</Link>
      </p>
    )
  return (
    <form method="post" action="/auth/sign-out">
      Signed in as {user.username} <button type="submit">Sign out</button>
    </form>
  )
}
