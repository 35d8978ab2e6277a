import { z } from 'zod/mini'

const begun = z.object({
  challenge_id: z.string(),
  expires_at: z.int(),
  options: z.object({ challenge: z.string(), rpId: z.string(), userVerification: z.string() }),
})

/** A passkey that somebody has chosen, and the challenge that it has signed. */
export type Chosen = { challengeId: string; credential: ReturnType<typeof toAnswer> }

/** A renewed challenge, before the old one is too old. */
const MARGIN_SECONDS = 30

/** Whether this browser can use passkeys at all. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined'
}

/**
 * Offers passkeys among the suggestions for the email field, until the signal ends it. Without the auth client, which a page that is only
 * looked at need not load. Resolves with nothing where there is nothing to offer. `expires` is called when it needs a new challenge.
 */
export async function offerPasskeys(signal: AbortSignal, expires: () => void): Promise<Chosen | undefined> {
  if (!(await canOffer())) return undefined
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch('/auth/v1/passkeys/authentication/options', { method: 'POST', headers, body: '{}', signal })
  const read = begun.safeParse(await reply.json())
  if (!reply.ok || !read.success) return undefined
  const { challenge_id: challengeId, expires_at: expiresAt, options } = read.data
  // The page may stay open for hours; a new challenge is only needed once somebody comes back to it.
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
