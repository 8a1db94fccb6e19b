export function AboutPasskeys() {
  return (
    <details className="group text-small">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control font-medium text-accent hover:text-accent-strong">
        What is a passkey?
      </summary>
      <p className="pb-2 text-muted">
        A passkey replaces your password. It's stored on your device or in your password manager, and you use it with
        your fingerprint, face or screen lock. It only works on this site, so a fake site can't trick you into giving it
        away.
      </p>
    </details>
  )
}
