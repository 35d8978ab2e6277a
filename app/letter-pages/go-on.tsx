import { buttonLook } from '#app/ui/button-look.ts'
import { AccountCard } from '#app/login/account-card.tsx'

/** What a letter asked for is done, and one may go on to where its link was meant to lead. */
export function GoOn({ target, host, done }: { target: string; host: string; done: string }) {
  return (
    <AccountCard title="Done" intro={done}>
      <a href={target} rel="noreferrer" className={buttonLook()}>
        Continue to {host}
      </a>
    </AccountCard>
  )
}
