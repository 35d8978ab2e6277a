import { asMember, type Failure, freeName } from './auth.ts'

/** Adds a phone as a second factor; it is verified by the code that it receives. */
export async function beginPhone(phone: string): Promise<{ factorId?: string; failure?: Failure }> {
  let factorId: string | undefined
  const { failure } = await asMember('The phone could not be added', async (auth) => {
    const listed = await auth.mfa.listFactors()
    const friendlyName = freeName(listed.data?.all.map((factor) => factor.friendly_name ?? '') ?? [], 'Phone')
    const { data, error } = await auth.mfa.enroll({ factorType: 'phone', phone, friendlyName })
    factorId = data?.id
    return { error }
  })
  if (failure) return { failure }
  return factorId ? { factorId } : {}
}

/** Sends the phone a code. The code is valid only for the returned challenge. */
export async function requestPhoneCode(factorId: string): Promise<{ challengeId?: string; failure?: Failure }> {
  let challengeId: string | undefined
  const { failure } = await asMember('The message could not be sent', async (auth) => {
    const { data, error } = await auth.mfa.challenge({ factorId, channel: 'sms' })
    challengeId = data?.id
    return { error }
  })
  if (failure) return { failure }
  return challengeId ? { challengeId } : {}
}

/** Verifies the code of that message; the first time also finishes the phone's enrollment. */
export function passWithPhoneCode(answer: { factorId: string; challengeId: string; code: string }): Promise<{ failure?: Failure }> {
  return asMember('The code could not be checked', (auth) => auth.mfa.verify(answer))
}
