import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'

type NotYoursProps = {
  title: string
  purpose: string
  uses: readonly string[]
  needs: string
  /** The next steps, such as a request for access. */ children: React.ReactNode
}

/** The page of a workspace area without permission: its purpose, the required permission, and links elsewhere. */
export function NotYours({ title, purpose, uses, needs, children }: NotYoursProps) {
  return (
    <Page kind="work" title={title} intro={purpose}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <section aria-labelledby="uses">
          <h2 id="uses" className="mb-3 text-h3">
            With access, you can
          </h2>
          <ul className="grid list-disc gap-2 pl-5 marker:text-grain">
            {uses.map((use) => (
              <li key={use}>{use}</li>
            ))}
          </ul>
        </section>
        <Card as="section" aria-labelledby="needs" className="grid justify-items-start gap-3">
          <h2 id="needs" className="text-h3">
            Who has access
          </h2>
          <p className="text-muted">{needs}</p>
          {children}
        </Card>
      </div>
    </Page>
  )
}
