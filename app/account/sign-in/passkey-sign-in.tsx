import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { CANCELED, signInWithChosen, signInWithPasskey } from '#app/account/session/passkey-auth.ts'
import { knowsPasskeys, offerPasskeys } from '#app/account/session/passkey-autofill.ts'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'
import { mfaPath, SIGNED_IN } from './sign-in-texts.ts'

const never = () => () => undefined

/** Signs in without an address: by a button, or by a passkey among the suggestions for the email field. Both need JavaScript. */
export function PasskeySignIn({ next }: { next: string }) {
  const isLive = useSyncExternalStore(never, knowsPasskeys, () => false)
  const { busy, press } = usePasskeySignIn(next)
  if (!isLive) return null
  return (
    <Button type="button" look="quiet" busy={busy} onClick={press}>
      {busy ? 'Signing in...' : 'Sign in with a passkey'}
    </Button>
  )
}

function usePasskeySignIn(next: string) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const offering = useRef<AbortController>(undefined)

  async function enter(signIn: ReturnType<typeof signInWithPasskey>) {
    setBusy(true)
    const { failure, mfaPending } = await signIn
    setBusy(false)
    if (!failure) {
      if (!mfaPending) toast(SIGNED_IN)
      return navigate(mfaPending ? mfaPath(next) : next, { replace: true })
    }
    if (failure.code !== CANCELED) toast({ title: 'Sign In Failed', description: failure.message, look: 'danger' })
    offer()
  }

  /** A browser handles one passkey request at a time. */
  function end() {
    offering.current?.abort()
  }

  function offer() {
    end()
    const abort = new AbortController()
    offering.current = abort
    offerPasskeys(abort.signal, offer).then(
      (chosen) => chosen && enter(signInWithChosen(chosen)),
      // Closed, or aborted for another request: the form stays as it is.
      () => undefined,
    )
  }

  const begin = useEffectEvent(offer)
  const leave = useEffectEvent(end)
  useEffect(() => {
    begin()
    return () => leave()
  }, [])

  function press() {
    end()
    void enter(signInWithPasskey())
  }
  return { busy, press }
}
