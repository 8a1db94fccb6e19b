import type { ReactNode } from 'react'

/*
 * Icons of forms and their callouts. They are not in icons.tsx, because the bundler puts every icon of a file into the page's
 * script.
 */

export function Icon({ mirrored, children }: { mirrored?: boolean; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      className={`size-5 shrink-0 ${mirrored ? 'rtl:-scale-x-100' : ''}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

const ring = <circle cx="10" cy="10" r="7.5" />

/** A person and a key, after the FIDO Alliance's passkey icon. On a button the key turns while a device is asked. */
export function PasskeyIcon() {
  return (
    <Icon>
      <circle cx="8" cy="6" r="3.25" />
      <path d="M1.75 16.75c0-3.3 2.6-5.5 6.25-5.5.9 0 1.75.13 2.5.38" />
      <path
        className="turns"
        d="M15.25 8a2.25 2.25 0 1 0 0 4.5a2.25 2.25 0 1 0 0-4.5m0 4.5v5.25l1.75-1.5M15.25 15l1.25-1"
      />
    </Icon>
  )
}

export function AlertIcon() {
  return (
    <Icon>
      {ring}
      <path d="M10 6.25v4.25M10 13.6v.05" />
    </Icon>
  )
}

export function InfoIcon() {
  return (
    <Icon>
      {ring}
      <path d="M10 9.5v4.25M10 6.4v.05" />
    </Icon>
  )
}

export function CheckIcon() {
  return (
    <Icon>
      {ring}
      <path d="m6.75 10.25 2.25 2.25 4.25-4.75" />
    </Icon>
  )
}
