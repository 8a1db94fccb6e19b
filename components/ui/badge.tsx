import type { ReactNode } from 'react'

const tones = {
  plain: 'bg-sunken text-muted',
  accent: 'bg-accent-wash text-accent',
  danger: 'bg-danger text-surface',
}

/** A short remark beside a text, in one piece where lines break. */
export function Badge({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <>
      {' '}
      <span
        className={`my-0.5 inline-block max-w-full rounded-full border border-transparent px-2 text-[0.75rem] leading-5 font-medium first-letter:uppercase ${tones[tone]}`}
      >
        {children}
      </span>
    </>
  )
}
