import { useEffect, useState } from 'react'
import { askIdentityBy } from '#app/platform/browser/confirm-identity.ts'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'

const code = laterCode('The confirmation', () => import('./identity-dialog.tsx'))

/** Asks the person to confirm their identity when the server requires it for a sensitive change, which then continues. */
export function ConfirmIdentity() {
  const [answer, setAnswer] = useState<(confirmed: boolean) => void>()
  useEffect(() => askIdentityBy(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (!answer) return null
  const close = (confirmed: boolean) => {
    setAnswer(undefined)
    answer(confirmed)
  }
  return (
    <LaterDialog code={code} onClose={() => close(false)}>
      {({ IdentityDialog }) => <IdentityDialog close={close} />}
    </LaterDialog>
  )
}
