type FoldProps = {
  /** On the line that opens it. */
  summary: React.ReactNode
  children: React.ReactNode
}

/**
 * Folded on a phone, and whole on a wider page and in print, without script (base.css). A link to the element around it shows it whole as well.
 */
export function Fold({ summary, children }: FoldProps) {
  return (
    <details className="fold group">
      <summary className="min-h-12 list-none items-center justify-between gap-4 py-2 hover:text-grain-text [&::-webkit-details-marker]:hidden">
        {summary}
        <OpenSign />
      </summary>
      {children}
    </details>
  )
}

/** A plus; a minus while the `group` around it is open. */
export function OpenSign() {
  return (
    <svg viewBox="0 0 16 16" className="size-4 shrink-0 stroke-current" strokeWidth="1.75" strokeLinecap="round" aria-hidden="true">
      <path d="M1.5 8h13" />
      <path d="M8 1.5v13" className="group-open:opacity-0" />
    </svg>
  )
}
