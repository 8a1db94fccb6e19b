import { Icon } from '@/components/ui/icons/form-icons'

export function CloudIcon() {
  return (
    <Icon>
      <path d="M5.5 15.5a3.75 3.75 0 0 1-.4-7.48 5 5 0 0 1 9.66 1.02A3.25 3.25 0 0 1 14.5 15.5z" />
    </Icon>
  )
}

export function DeviceIcon() {
  return (
    <Icon>
      <rect x="5.5" y="2.25" width="9" height="15.5" rx="2" />
      <path d="M9 15h2" />
    </Icon>
  )
}

/** A computer and a phone, for a device that may be either. */
export function DevicesIcon() {
  return (
    <Icon>
      <path d="M4 12V5.5A1.5 1.5 0 0 1 5.5 4h9M1.75 15.5h8" />
      <rect x="12.25" y="7.25" width="5.5" height="9" rx="1.25" />
    </Icon>
  )
}

export function BinIcon() {
  return (
    <Icon>
      <path d="M3.5 5.5h13M8 5.5V3.75h4V5.5M5.25 5.5l.75 10.75h8l.75-10.75M8.5 8.75v4.5m3-4.5v4.5" />
    </Icon>
  )
}

export function PencilIcon() {
  return (
    <Icon>
      <path d="M3.5 16.5 4.25 13 13.5 3.75a1.75 1.75 0 0 1 2.5 0l.25.25a1.75 1.75 0 0 1 0 2.5L7 15.75zM11.75 5.5l2.75 2.75" />
    </Icon>
  )
}

export function SparkIcon() {
  return (
    <Icon>
      <path d="M8 3.5c.4 3.6 2 5.2 5.5 5.75C10 9.8 8.4 11.4 8 15c-.4-3.6-2-5.2-5.5-5.75C6 8.7 7.6 7.1 8 3.5Z" />
      <path d="M15 12.25c.2 1.7.95 2.5 2.5 2.75-1.55.25-2.3 1.05-2.5 2.75-.2-1.7-.95-2.5-2.5-2.75 1.55-.25 2.3-1.05 2.5-2.75Z" />
    </Icon>
  )
}

export function PersonIcon() {
  return (
    <Icon>
      <circle cx="10" cy="6.5" r="3.25" />
      <path d="M3.5 17c0-3.3 2.8-5.25 6.5-5.25s6.5 1.95 6.5 5.25" />
    </Icon>
  )
}

/** An arrow into a door, and out of one. In a script from right to left, the other way round. */
export function SignInIcon() {
  return (
    <Icon mirrored>
      <path d="M11.5 3h3a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-3M3 10h9M8.75 6.5 12.25 10l-3.5 3.5" />
    </Icon>
  )
}

export function SignOutIcon() {
  return (
    <Icon mirrored>
      <path d="M8.5 3h-3a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h3M8 10h9M13.5 6.5 17 10l-3.5 3.5" />
    </Icon>
  )
}

export function LockIcon() {
  return (
    <Icon>
      <rect x="4" y="8.75" width="12" height="8.5" rx="2" />
      <path d="M6.75 8.75V6a3.25 3.25 0 0 1 6.5 0v2.75" />
    </Icon>
  )
}

export function ComputerIcon() {
  return (
    <Icon>
      <rect x="3.5" y="4" width="13" height="9" rx="1.5" />
      <path d="M1.75 16h16.5" />
    </Icon>
  )
}

/** Stands at the end of a row that leads on. */
export function ForwardIcon() {
  return (
    <Icon mirrored>
      <path d="m7.75 4.75 5.25 5.25-5.25 5.25" />
    </Icon>
  )
}

/** Stands at the end of a row that opens in place. */
export function UnfoldIcon() {
  return (
    <Icon>
      <path d="m4.75 7.75 5.25 5.25 5.25-5.25" />
    </Icon>
  )
}

export function ChevronIcon() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 12 12"
      className="size-3 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <path d="m2.5 4.25 3.5 3.5 3.5-3.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

export function ClockIcon() {
  return (
    <Icon>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 5.75V10l2.75 1.75" />
    </Icon>
  )
}

/** A sheet with lines, like printed recovery codes. */
export function SheetIcon() {
  return (
    <Icon>
      <rect x="4.25" y="2.25" width="11.5" height="15.5" rx="1.75" />
      <path d="M7.5 6.5h5M7.5 10h5M7.5 13.5h2.5" />
    </Icon>
  )
}

/** A globe, which people recognize in any language. */
export function LanguageIcon() {
  return (
    <Icon>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M2.5 10h15M10 2.5c2.5 2 3.5 4.6 3.5 7.5s-1 5.5-3.5 7.5c-2.5-2-3.5-4.6-3.5-7.5s1-5.5 3.5-7.5" />
    </Icon>
  )
}
