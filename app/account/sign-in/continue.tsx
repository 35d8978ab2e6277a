import { buttonLook } from '#app/ui/button-look.ts'
import { AccountCard } from './account-card.tsx'

/** The emailed action is done; a link continues to its target. */
export function GoOn({ target, host, done }: { target: string; host: string; done: string }) {
  return (
    <AccountCard title="Done" intro={done}>
      <a href={target} rel="noreferrer" className={buttonLook()}>
        Continue to {host}
      </a>
    </AccountCard>
  )
}
