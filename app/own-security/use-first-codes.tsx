import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useRefreshAccount } from '#app/own-account/account-state.tsx'
import { toast } from '#app/ui/toast.ts'
import { makeRecoveryCodes } from './make-recovery-codes.ts'

export type EnrolDialogProps = { /** Recovery codes come with the first. */ isFirst: boolean; close: () => void }

/** What follows once a second factor counts: recovery codes to keep if it is the first one, and all that shows factors asks again. */
export function useFirstCodes({ isFirst, close }: EnrolDialogProps) {
  const [codes, setCodes] = useState<string[]>()
  const [counts, setCounts] = useState(false)
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()

  function leaveDone(description?: string) {
    toast({ title: 'Two-step sign-in is on', ...(description && { description }) })
    close()
  }

  async function finish() {
    setCounts(true)
    const made = isFirst ? await makeRecoveryCodes().catch(() => undefined) : undefined
    // The codes say it as well, and a message would lie over them.
    if (made) setCodes(made)
    else leaveDone(isFirst ? 'Your recovery codes could not be made. Please make them now.' : undefined)
    await Promise.all([refresh(), revalidate()])
  }
  return { /** From now on closing the dialog takes nothing back. */ counts, codes, finish, leaveDone: () => leaveDone() }
}
