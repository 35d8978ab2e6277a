import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRefreshAccount } from './account-state.tsx'
import { toast } from '#app/ui/toast.ts'
import { requestRecoveryCodes } from './recovery-codes.tsx'

export type EnrolDialogProps = { /** The first factor comes with recovery codes. */ isFirst: boolean; close: () => void }

/** After a second factor is added: shows recovery codes if it is the first one, and reloads all queries of factors. */
export function useFirstCodes({ isFirst, close }: EnrolDialogProps) {
  const [codes, setCodes] = useState<string[]>()
  const [counts, setCounts] = useState(false)
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()

  function leaveDone(description?: string) {
    toast({ title: 'Two-factor authentication is on', ...(description && { description }) })
    close()
  }

  async function finish() {
    setCounts(true)
    const made = isFirst ? await requestRecoveryCodes().catch(() => undefined) : undefined
    // The dialog of the codes says it too, and a toast would cover them.
    if (made) setCodes(made)
    else leaveDone(isFirst ? 'Your recovery codes couldn’t be created. Create them now.' : undefined)
    await Promise.all([refresh(), revalidate()])
  }
  return { /** From now on, closing the dialog undoes nothing. */ counts, codes, finish, leaveDone: () => leaveDone() }
}
