import { href } from 'react-router'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'

const uses = [
  'Invite people and decide who is staff',
  'Sign someone out, or shut them out',
  'Answer requests for access',
  'Read what has been done',
]

/** What everyone else finds here: what it is for, what it needs, and where their own account is. */
export function OwnerOnly() {
  return (
    <Page kind="work" title="Users" intro="Who has an account here, and what each may do, is decided on this page.">
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <section aria-labelledby="uses">
          <h2 id="uses" className="mb-3 text-h3">
            What it is for
          </h2>
          <ul className="grid list-disc gap-2 pl-5 marker:text-grain">
            {uses.map((use) => (
              <li key={use}>{use}</li>
            ))}
          </ul>
        </section>
        <Card as="section" aria-labelledby="needs" className="grid justify-items-start gap-3">
          <h2 id="needs" className="text-h3">
            What it needs
          </h2>
          <p className="text-muted">Only an owner of this installation works here. Your own account is yours to change.</p>
          <ButtonLink to={href('/account')} look="quiet">
            Open your account
          </ButtonLink>
        </Card>
      </div>
    </Page>
  )
}
