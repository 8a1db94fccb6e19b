export const Divider = ({ children }: { children: string }) => (
  <div className="divider">
    <span>{children}</span>
  </div>
)
