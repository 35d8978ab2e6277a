import { useState } from 'react'
import { signInAgain } from '#app/account/session/signed-out.ts'
import { isSessionOver } from '#app/account/session/session-over.ts'
import type { Failure } from '#app/account/session/auth.ts'
import { passWithPhoneCode, requestPhoneCode } from '#app/account/session/phone-factor-auth.ts'
import { momentIn, phoneRefusal, secondsToWait } from './phone-mfa.ts'

type Given = { challengeId?: string | undefined; error?: string | undefined; pauseSeconds: number }

/** Requests a code by message and verifies it. A refusal is in `error`. */
export function usePhoneCode({ challengeId: given, error: refused, pauseSeconds }: Given) {
  const [challengeId, setChallengeId] = useState(given)
  const [error, setError] = useState(refused)
  const [waitUntil, setWaitUntil] = useState(0)
  const [busy, setBusy] = useState<'sending' | 'checking'>()

  async function send(factorId: string) {
    setBusy('sending')
    const { challengeId: begun, failure } = await requestPhoneCode(factorId)
    setBusy(undefined)
    const seconds = failure ? secondsToWait(failure.message) : pauseSeconds
    if (seconds !== undefined) setWaitUntil(momentIn(seconds))
    if (failure) refuse(failure)
    else setError(undefined)
    // An older code stays valid for its own challenge.
    if (begun) setChallengeId(begun)
  }

  /** Returns whether the code was right. */
  async function answer(factorId: string, typed: unknown): Promise<boolean> {
    const code = typeof typed === 'string' ? typed.replaceAll(/\s/g, '') : ''
    if (!challengeId || code === '') return refuse({ message: 'Enter the code', code: undefined })
    setBusy('checking')
    const { failure } = await passWithPhoneCode({ factorId, challengeId, code })
    setBusy(undefined)
    setError(undefined)
    return failure ? refuse(failure) : true
  }

  /** Resets the state: another phone may get a message immediately. */
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
