import { useEffect } from 'react'
import { Card } from '#app/ui/card.tsx'

type AccountSectionProps = {
  /** Also the fragment of links to it. */
  id: string
  title: string
  /** Its subject or consequences. */
  intro?: React.ReactNode
  children: React.ReactNode
}

/** One topic of an account, on its own card. */
export function AccountSection({ id, title, intro, children }: AccountSectionProps) {
  // A link to it was followed before its data was here.
  useEffect(() => {
    if (window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView()
  }, [id])
  return (
    <Card as="section" id={id} aria-labelledby={`${id}-title`} className="grid grid-cols-1 gap-5">
      <div className="grid gap-1.5">
        <h2 id={`${id}-title`} className="text-h3">
          {title}
        </h2>
        {intro && <div className="max-w-[60ch] text-small text-muted">{intro}</div>}
      </div>
      {children}
    </Card>
  )
}
