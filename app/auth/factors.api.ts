import { z } from 'zod'
import { answerChallenge, beginChallenge } from '#app/factor/challenge.server.ts'
import { enrolKey, enrolPhone, enrolTotp, unenrol } from '#app/factor/factor.server.ts'
import type { KeyAnswer } from '#app/factor/key-factor.server.ts'
import { servesKeyFactors } from '#app/passkey/relying-party.server.ts'
import { phoneNumber } from '#app/auth-protocol/phone-number.ts'
import { INVALID_PHONE, refuse } from '#app/auth-protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import { allowBearer } from './bearer.server.ts'
import { text } from './body.server.ts'
import { challengeLimit, enrolLimit, factorVerifyLimit } from './limits.server.ts'

const LONGEST_NAME = 100

const name = text.refine((value = '') => value.length <= LONGEST_NAME, `A name has at most ${LONGEST_NAME} characters`)
const wish = z.object({ factor_type: text, friendly_name: name, issuer: name, phone: text })
const number = phoneNumber(INVALID_PHONE)
const keyAnswer = z.looseObject({ type: text, credential_response: z.unknown().optional() }).nullish()
const params = z.object({ id: z.string() })

/** The second step of a sign-in. Who has a finished factor changes factors only after having taken that step. */
export const factorsApi: Api = async (app) => {
  app.post('/factors', {
    schema: {
      summary: 'Begin a second factor',
      tags: ['auth'],
      body: wish,
      response: { 200: begun },
    },
    config: { limit: enrolLimit },
    async handler({ visit, body }) {
      const holder = await allowHolder(visit)
      const { factor_type: type } = body
      if (type === 'totp') return beginTotp(holder, body)
      if (type === 'phone') return beginPhone(holder, body)
      if (type === 'webauthn') return beginKey(holder, body)
      return refuse('validation_failed', { sentence: 'factor_type needs to be totp, phone, or webauthn' })
    },
  })

  app.post('/factors/:id/challenge', {
    schema: { summary: 'Ask to take the second step', tags: ['auth'], params, response: { 200: challenged } },
    config: { limit: challengeLimit },
    async handler({ visit, params, body }) {
      const holder = await allowHolder(visit)
      const { channel } = way.parse(body)
      const { factor, id, expiresAt, key } = await beginChallenge(holder, { factorId: readId(params.id), address: visit.address, channel })
      const webauthn = key && { type: key.type, credential_options: { publicKey: key.options } }
      return { id, type: factor.factorType, expires_at: expiresAt, ...(webauthn && { webauthn }) }
    },
  })

  app.post('/factors/:id/verify', {
    schema: {
      summary: 'Take the second step with a code or a key',
      tags: ['auth'],
      params,
      body: z.object({ challenge_id: text, code: text, webauthn: keyAnswer }),
      response: { 200: sessionAnswer },
    },
    config: { limit: factorVerifyLimit },
    async handler({ visit, params, body: { challenge_id: challengeId = '', code, webauthn } }) {
      const holder = await allowHolder(visit)
      const factorId = readId(params.id)
      if (!code && !webauthn) refuse('validation_failed', { sentence: 'Code needs to be non-empty' })
      if (!z.uuid().safeParse(challengeId).success) refuse('validation_failed', { sentence: 'challenge_id must be an UUID' })
      return toSessionAnswer(await answerChallenge(holder, { factorId, challengeId, code, key: readKey(webauthn), address: visit.address }))
    },
  })

  app.delete('/factors/:id', {
    schema: { summary: 'Remove a second factor', tags: ['auth'], params, response: { 200: z.object({ id: z.string() }) } },
    async handler({ visit, params }) {
      const holder = await allowHolder(visit)
      const id = readId(params.id)
      await unenrol(holder, id)
      return { id }
    },
  })
}

const kind = z.enum(['totp', 'phone', 'webauthn'])

const begun = z.object({
  id: z.string(),
  type: kind,
  friendly_name: z.string(),
  phone: z.string().optional(),
  totp: z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() }).optional(),
})

/** For an authenticator there is nothing to say, and many say nothing. */
const way = z.looseObject({ channel: z.enum(['sms', 'whatsapp']).catch('sms') }).catch({ channel: 'sms' })

const keyQuestion = z.object({
  type: z.enum(['create', 'request']),
  credential_options: z.object({ publicKey: z.looseObject({ challenge: z.string() }) }),
})

const challenged = z.object({ id: z.string(), type: kind, expires_at: z.int(), webauthn: keyQuestion.optional() })

function readKey(given: z.infer<typeof keyAnswer>): KeyAnswer | undefined {
  if (!given) return undefined
  const { type, credential_response: response } = given
  if (type !== 'create' && type !== 'request') refuse('validation_failed', { sentence: 'WebAuthn type must be create or request' })
  if (!response) refuse('validation_failed', { sentence: 'credential_response required' })
  return { type, response }
}

async function beginTotp(holder: Holder, { friendly_name: friendlyName = '', issuer = new URL(env.SITE_URL).host }: z.infer<typeof wish>) {
  if (!env.MFA_TOTP_ENROLL_ENABLED) refuse('mfa_totp_enroll_not_enabled')
  const { factor, secret } = await enrolTotp(holder, friendlyName, issuer)
  const totp = { qr_code: secret.qrCode, secret: secret.secret, uri: secret.uri }
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName, totp }
}

async function beginKey(holder: Holder, { friendly_name: friendlyName = '' }: z.infer<typeof wish>) {
  if (!servesKeyFactors().enrol) refuse('mfa_webauthn_enroll_not_enabled')
  const factor = await enrolKey(holder, friendlyName)
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName }
}

async function beginPhone(holder: Holder, { friendly_name: friendlyName = '', phone }: z.infer<typeof wish>) {
  if (!env.MFA_PHONE_ENROLL_ENABLED) refuse('mfa_phone_enroll_not_enabled')
  const read = number.safeParse(phone)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  const factor = await enrolPhone(holder, friendlyName, read.data)
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName, phone: read.data }
}

/** Who is nobody in particular has nothing that a second step could guard. */
async function allowHolder(visit: Visit): Promise<Holder> {
  const holder = await allowBearer(visit)
  if (holder.user.isAnonymous) refuse('no_authorization', { kind: 'forbidden', sentence: 'Anonymous users have no factors' })
  return holder
}

function readId(id: string): string {
  if (!z.uuid().safeParse(id).success) refuse('validation_failed', { kind: 'notFound', sentence: 'factor_id must be an UUID' })
  return id
}
