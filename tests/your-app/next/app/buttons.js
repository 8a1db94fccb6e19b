'use client'
import { signIn, signOut } from 'next-auth/react'

export const SignIn = () => (
  <button type="button" onClick={() => signIn('latchkey')}>
    Sign in
  </button>
)

export const SignOut = ({ logout }) => (
  <button type="button" onClick={() => signOut({ callbackUrl: logout })}>
    Sign out
  </button>
)
