import { z } from 'zod/mini'

const begun = z.object({
  challenge_id: z.string(),
  expires_at: z.int(),
  options: z.object({ challenge: z.string(), rpId: z.string(), userVerification: z.string() }),
})

/** The chosen passkey and its signed challenge. */
export type ChosenPasskey = { challengeId: string; credential: ReturnType<typeof toAnswer> }

/** Seconds before its expiry at which a challenge is renewed. */
const MARGIN_SECONDS = 30

/** Whether this browser supports passkeys. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined'
}

/**
 * Offers passkeys among the suggestions for the email field, until the signal aborts. It does not load the auth client, so a page view
 * stays light. Resolves with `undefined` where there is nothing to offer. `expires` is called when a new challenge is needed.
 */
export async function offerPasskeys(signal: AbortSignal, expires: () => void): Promise<ChosenPasskey | undefined> {
  if (!(await canOffer())) return undefined
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch('/auth/v1/passkeys/authentication/options', { method: 'POST', headers, body: '{}', signal })
  const read = begun.safeParse(await reply.json())
  if (!reply.ok || !read.success) return undefined
  const { challenge_id: challengeId, expires_at: expiresAt, options } = read.data
  // The page may stay open for hours; a new challenge is only needed after the person returns.
  const renew = () => Date.now() / 1000 > expiresAt - MARGIN_SECONDS && expires()
  document.addEventListener('focusin', renew, { signal })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, mediation: 'conditional', signal })
  return credential instanceof PublicKeyCredential ? { challengeId, credential: toAnswer(credential.toJSON()) } : undefined
}

function toAnswer({ id, rawId, response }: ReturnType<PublicKeyCredential['toJSON']>) {
  if (!('signature' in response)) throw new Error('The browser did not sign.')
  return { id, rawId, type: 'public-key' as const, response, clientExtensionResults: {} }
}

async function canOffer(): Promise<boolean> {
  if (!knowsPasskeys() || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return false
  return 'isConditionalMediationAvailable' in PublicKeyCredential && PublicKeyCredential.isConditionalMediationAvailable()
}
