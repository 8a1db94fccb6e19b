import { SignIn } from './sign-in.js'

export const dynamic = 'force-dynamic'
export const metadata = { icons: 'data:,' }

export default function Page() {
  return (
    <main>
      <h1>Sign in</h1>
      <SignIn />
    </main>
  )
}
