import type { ButtonHTMLAttributes, Ref } from 'react'

const looks = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-strong disabled:hover:bg-accent shadow-[0_1px_0_rgb(0_0_0/0.12)]',
  secondary: 'border-line bg-sunken text-ink hover:bg-line disabled:hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-accent hover:bg-accent-wash disabled:hover:bg-transparent',
  danger: 'border-transparent bg-danger text-surface hover:bg-danger-strong disabled:hover:bg-danger',
  quietDanger:
    'border-transparent bg-transparent text-danger hover:bg-danger-wash disabled:hover:bg-transparent aria-disabled:hover:bg-transparent',
}

const shape =
  'inline-flex min-h-11 items-center justify-center gap-x-2.5 rounded-control border px-4 py-2 text-center font-medium transition-colors duration-150'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>
  look?: keyof typeof looks
  pending?: boolean
}

/** At most one `primary` per card; `danger` only for the last step of a destructive action. */
export function Button({ look = 'primary', pending = false, className = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={pending || rest.disabled}
      aria-busy={pending || undefined}
      className={`${shape} ${looks[look]} cursor-pointer disabled:cursor-default disabled:opacity-65 aria-busy:opacity-100 aria-disabled:cursor-default aria-disabled:opacity-65 ${className}`}
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
  children,
}: {
  href: string | undefined
  /** Saves the target under this name in place of opening it. */
  download?: string
  look?: keyof typeof looks
  children: string
}) {
  return (
    <a href={href} download={download} className={`${shape} ${looks[look]}`}>
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
