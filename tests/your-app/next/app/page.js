import { getServerSession } from 'next-auth'
import { authOptions } from '../auth'
import { SignIn, SignOut } from './buttons'

export default async function Page() {
  const session = await getServerSession(authOptions)
  if (!session) return <SignIn />
  return (
    <p>
      Signed in as {session.user.name} <SignOut logout={session.logout} />
    </p>
  )
}
