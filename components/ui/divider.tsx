export function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-x-[min(0.875rem,3.7vw)] py-5 text-small text-muted">
      <span className="min-w-[min(1rem,4vw)] grow border-t border-line" />
      <span className="min-w-0 text-center break-words text-balance">{children}</span>
      <span className="min-w-[min(1rem,4vw)] grow border-t border-line" />
    </div>
  )
}
