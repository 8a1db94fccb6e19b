import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react'

const looks = {
  primary:
    'border-transparent bg-accent text-on-accent can-press:hover:bg-accent-strong shadow-[0_1px_0_rgb(0_0_0/0.12)]',
  secondary: 'border-line bg-sunken text-ink can-press:hover:bg-line',
  quiet: 'border-transparent bg-transparent text-accent can-press:hover:bg-accent-wash',
  danger: 'border-transparent bg-danger text-surface can-press:hover:bg-danger-strong',
  quietDanger: 'border-transparent bg-transparent text-danger can-press:hover:bg-danger-wash',
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
  // Not `disabled` while pending: that would drop the focus (WCAG 2.4.3).
  const whilePending = { 'aria-disabled': true, 'aria-busy': true, disabled: false, onClick: preventDefault }
  return (
    <button
      type="button"
      {...rest}
      {...(pending && whilePending)}
      className={`${shape} ${looks[look]} cursor-pointer disabled:cursor-default disabled:opacity-65 aria-disabled:cursor-default aria-disabled:not-aria-busy:opacity-65 ${className}`}
    >
      {pending && <Spinner />}
      {children}
    </button>
  )
}

/** Also of the click that Enter in a field causes at a form's submit button. */
const preventDefault = (event: MouseEvent) => event.preventDefault()

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
