import { useState } from 'react'
import { signInAgain } from '#app/account/signed-out.ts'
import { isSessionOver } from '#app/auth-client/session-over.ts'
import type { Failure } from '#app/auth-client/auth.ts'
import { passWithPhoneCode, sendPhoneCode } from '#app/auth-client/phone-factor-auth.ts'
import { momentIn, phoneRefusal, secondsToWait } from './phone-step.ts'

type Given = { challengeId?: string | undefined; error?: string | undefined; pauseSeconds: number }

/** Asking for a code by message, and answering with it. What was refused stands in `error`. */
export function usePhoneCode({ challengeId: given, error: refused, pauseSeconds }: Given) {
  const [challengeId, setChallengeId] = useState(given)
  const [error, setError] = useState(refused)
  const [waitUntil, setWaitUntil] = useState(0)
  const [busy, setBusy] = useState<'sending' | 'checking'>()

  async function send(factorId: string) {
    setBusy('sending')
    const { challengeId: begun, failure } = await sendPhoneCode(factorId)
    setBusy(undefined)
    const seconds = failure ? secondsToWait(failure.message) : pauseSeconds
    if (seconds !== undefined) setWaitUntil(momentIn(seconds))
    if (failure) refuse(failure)
    else setError(undefined)
    // An older code goes on counting for its own challenge.
    if (begun) setChallengeId(begun)
  }

  /** Answers whether the code was right. */
  async function answer(factorId: string, typed: unknown): Promise<boolean> {
    const code = typeof typed === 'string' ? typed.replaceAll(/\s/g, '') : ''
    if (!challengeId || code === '') return refuse({ message: 'Type the code', code: undefined })
    setBusy('checking')
    const { failure } = await passWithPhoneCode({ factorId, challengeId, code })
    setBusy(undefined)
    setError(undefined)
    return failure ? refuse(failure) : true
  }

  /** As if nothing had been asked for: the phone is another one, which may get a message at once. */
  function forget() {
    setChallengeId(undefined)
    setError(undefined)
    setWaitUntil(0)
  }

  function refuse(failure: Failure): false {
    if (isSessionOver(failure)) signInAgain()
    setError(phoneRefusal(failure))
    return false
  }

  return { challengeId, error, setError, busy, waitUntil, send, answer, forget }
}
