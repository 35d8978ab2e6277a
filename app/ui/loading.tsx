/** Says what is loading; put a `Skeleton` below it where the shape of the content is known. */
export function Loading({ children }: { children: React.ReactNode }) {
  return (
    <p role="status" className="flex items-center gap-3 py-6 text-muted">
      <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 animate-spin">
        <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2" className="opacity-25" />
        <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" className="text-grain-text" />
      </svg>
      {children}
    </p>
  )
}
