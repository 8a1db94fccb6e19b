import type { ButtonHTMLAttributes, Ref } from 'react'

const looks = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-strong aria-disabled:hover:bg-accent shadow-[0_1px_0_rgb(0_0_0/0.12)]',
  secondary: 'border-edge bg-surface text-ink hover:bg-sunken aria-disabled:hover:bg-surface',
  quiet: 'border-transparent bg-transparent text-accent hover:bg-accent-wash aria-disabled:hover:bg-transparent',
  plain:
    'border-transparent bg-transparent text-muted hover:bg-sunken hover:text-ink aria-disabled:hover:bg-transparent',
  danger: 'border-transparent bg-danger text-surface hover:bg-danger-strong aria-disabled:hover:bg-danger',
  quietDanger: 'border-transparent bg-transparent text-danger hover:bg-danger-wash aria-disabled:hover:bg-transparent',
}

const shape =
  'inline-flex min-h-11 items-center justify-center gap-x-2.5 rounded-control border px-4 py-2 text-center font-medium text-balance transition-colors duration-150'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>
  look?: keyof typeof looks
  pending?: boolean
}

/** At most one `primary` per card; `danger` only for the last step of a destructive action. */
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
      // Not `disabled`, which drops the focus to the page's start.
      aria-disabled={inactive || undefined}
      aria-busy={pending || undefined}
      // Preventing the click prevents the form's submission, too, also by Enter in a field (HTML, "implicit submission").
      onClick={inactive ? (event) => event.preventDefault() : onClick}
      className={`${shape} ${looks[look]} cursor-pointer aria-disabled:cursor-default not-aria-busy:aria-disabled:opacity-65 ${className}`}
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
  onClick,
  children,
}: {
  href: string | undefined
  /** Saves the target under this name in place of opening it. */
  download?: string
  look?: keyof typeof looks
  onClick?: () => void
  children: string
}) {
  return (
    <a href={href} download={download} onClick={onClick} className={`${shape} ${looks[look]}`}>
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
