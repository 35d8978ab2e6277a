import type { ReactNode } from 'react'

export function ProductSection({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-4 border-t border-line pt-6">
      <div className="grid gap-1">
        <h3>{title}</h3>
        {intro && <p className="max-w-prose text-small text-muted">{intro}</p>}
      </div>
      {children}
    </section>
  )
}
