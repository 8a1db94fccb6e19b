export function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3.5 py-5 text-small text-muted">
      <span className="h-px grow bg-line" />
      {children}
      <span className="h-px grow bg-line" />
    </div>
  )
}
