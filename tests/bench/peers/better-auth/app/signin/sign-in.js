'use client'
import { useEffect, useState } from 'react'
import { client } from '../../lib/client.js'

/** Both ways in, and passkeys in the browser's autofill: what Latchkey's page does, without its design. */
export function SignIn() {
  const [error, setError] = useState('')
  useEffect(() => {
    PublicKeyCredential.isConditionalMediationAvailable?.().then(
      (can) => can && client.signIn.passkey({ autoFill: true }),
    )
  }, [])
  async function submit(event) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { error } = await client.signIn.email({ email: form.get('email'), password: form.get('password') })
    setError(error?.message ?? '')
  }
  return (
    <form onSubmit={submit}>
      <label>
        Email <input name="email" type="email" autoComplete="username webauthn" />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button type="submit">Sign in</button>
      <button type="button" onClick={() => client.signIn.passkey()}>
        Sign in with a passkey
      </button>
      <p role="status">{error}</p>
    </form>
  )
}
