import type { ButtonHTMLAttributes, Ref } from 'react'

/** Each look has its rule in app/globals.css: as lists of utilities, they would be a part of every page's script. */
type Look = 'primary' | 'secondary' | 'quiet' | 'plain' | 'danger' | 'quiet-danger'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>
  look?: Look | undefined
  pending?: boolean
}

/** At most one `primary` per card; `danger` only for the last step of a destructive action, and for what an alarm asks first. */
export function Button({
  look = 'primary',
  pending = false,
  disabled = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const inactive = pending || disabled
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled`, which would drop the focus to the page's start.
      aria-disabled={inactive || undefined}
      aria-busy={pending || undefined}
      // Ignores clicks, and with them a form's submission, also by Enter in a field (HTML, "implicit submission"). Ignores the
      // second click of a double click, too, which can hit a button that the first one has moved under the pointer.
      onClick={(event) => (inactive || event.detail > 1 ? event.preventDefault() : onClick?.(event))}
      className={`button button-${look} ${className}`}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}

export function ButtonLink({
  href,
  look = 'secondary',
  download,
  opensTab = false,
  onClick,
  children,
}: {
  href: string | undefined
  /** Saves the target under this name in place of opening it. */
  download?: string
  /** Keeps this page beside it */
  opensTab?: boolean
  look?: Look
  onClick?: () => void
  children: string
}) {
  return (
    <a
      href={href}
      download={download}
      target={opensTab ? '_blank' : undefined}
      onClick={onClick}
      className={`button button-${look}`}
    >
      {children}
    </a>
  )
}

function Spinner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-4 shrink-0 animate-spin" fill="none" strokeWidth="2.5">
      <circle cx="10" cy="10" r="7.5" stroke="currentColor" opacity="0.3" />
      <path d="M17.5 10A7.5 7.5 0 0 0 10 2.5" stroke="currentColor" strokeLinecap="round" />
    </svg>
  )
}
