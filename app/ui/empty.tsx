type EmptyProps = {
  title: string
  /** Says what will appear here. */
  children: React.ReactNode
  /** The one action that fills the list. */
  action?: React.ReactNode
}

/** The empty state of a list. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-start gap-3 rounded-card border border-dashed border-edge px-6 py-10 sm:px-10">
      <BareRows />
      {/* No heading: it is used at any depth of a page. */}
      <p data-empty tabIndex={-1} className="font-display text-h3 font-[650] tracking-[-0.02em]">
        {title}
      </p>
      <div className="max-w-prose text-muted">{children}</div>
      {action && <div className="pt-2">{action}</div>}
    </div>
  )
}

/** A table without rows, as decoration. */
function BareRows() {
  return (
    <svg viewBox="0 0 64 36" aria-hidden="true" className="mb-2 w-16 text-edge">
      <path d="M1 1h62v34H1zM1 12h62M22 1v34M43 1v34M1 23.5h62" fill="none" stroke="currentColor" strokeDasharray="3 3" />
    </svg>
  )
}
