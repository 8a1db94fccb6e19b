/** What a passkey is, for somebody who meets the word here for the first time. */
export function AboutPasskeys() {
  return (
    <details className="group text-small">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control font-medium text-accent hover:text-accent-strong">
        What is a passkey?
      </summary>
      <p className="pb-2 text-muted">
        A passkey takes the place of a password. It stays on your device or in your password manager, and you use it
        with your fingerprint, your face or your screen lock. It works on this site alone, so it cannot be given away to
        a false one.
      </p>
    </details>
  )
}
