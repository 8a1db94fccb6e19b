export function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3.5 py-5 text-small text-muted">
      <span className="grow border-t border-line" />
      {children}
      <span className="grow border-t border-line" />
    </div>
  )
}
