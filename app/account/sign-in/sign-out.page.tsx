import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { AccountCard } from './account-card.tsx'

export const handle = { access: 'public' } satisfies Handle

export const meta = () => pageMeta({ title: 'Sign out', index: false })

/** For links from other sites: signing out takes a click on the button. */
export default function SignOutPage() {
  return (
    <AccountCard title="Sign out" intro="Do you want to sign out on this device?">
      <form method="post" action="/api/logout" className="grid">
        <Button>Sign out</Button>
      </form>
    </AccountCard>
  )
}
