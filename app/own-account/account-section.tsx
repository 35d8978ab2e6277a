import { Card } from '#app/ui/card.tsx'

type AccountSectionProps = {
  /** Also where a link to it leads. */
  id: string
  title: string
  /** What it is about, or what follows from it. */
  intro?: React.ReactNode
  children: React.ReactNode
}

/** One matter of an account, on a card of its own. */
export function AccountSection({ id, title, intro, children }: AccountSectionProps) {
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
