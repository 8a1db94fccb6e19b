import type { ReactNode } from 'react'

export const Divider = ({ children }: { children: string }) => (
  <div className="divider">
    <span>{children}</span>
  </div>
)

interface CardProps {
  title: ReactNode
  titleId: string
  /** True if a script may focus the title */
  isFocusable?: boolean
  children: ReactNode
}

export function Card({ title, titleId, isFocusable, children }: CardProps) {
  return (
    <section aria-labelledby={titleId} className="rounded-card border border-line bg-surface shadow-raised">
      <h2
        id={titleId}
        tabIndex={isFocusable ? -1 : undefined}
        className="rounded-t-card border-line px-card py-4 text-title font-semibold not-last:border-b last:rounded-b-card"
      >
        {title}
      </h2>
      {children}
    </section>
  )
}

interface EmptyListProps {
  icon?: ReactNode
  title: string
  text: string
  children?: ReactNode
}

/** Takes the place of a list without entries: says what the list is for and what to do first. */
export function EmptyList({ icon, title, text, children }: EmptyListProps) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-10 text-center sm:px-8">
      {icon && (
        <span className="mx-auto mb-4 grid size-12 place-items-center rounded-full bg-accent-wash text-accent">
          {icon}
        </span>
      )}
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="mx-auto mt-1 max-w-md text-muted">{text}</p>
      {children && <div className="mt-5 flex justify-center">{children}</div>}
    </div>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <div className="divide-y divide-line px-card">{children}</div>
}

/**
 * A line of a card with its controls: beside the text, or below where that leaves no room for it, as with large text.
 *
 * @param hasEdge the last control has one, and so stands inside the line
 * @param isLong the text is sentences, which a narrow column would break after each word
 */
export function Row({
  controls,
  hasEdge = false,
  isLong = false,
  children,
}: {
  controls: ReactNode
  hasEdge?: boolean
  isLong?: boolean
  children: ReactNode
}) {
  return (
    <div className={`flex flex-wrap items-center justify-between gap-x-4 ${hasEdge ? 'gap-y-2' : ''}`}>
      {/* Beside the controls it takes all the room; below it, these end where those of other lines do. */}
      <div className={`max-w-full grow-999 break-words ${isLong ? 'basis-64' : 'basis-36'}`}>{children}</div>
      {controls && (
        <div
          className={`flex grow flex-wrap justify-end gap-y-1 forced-colors:gap-2 ${hasEdge ? 'max-w-full' : 'outdent max-w-[calc(100%+2*var(--outdent))]'}`}
        >
          {controls}
        </div>
      )}
    </div>
  )
}
