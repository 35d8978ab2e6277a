import { z } from 'zod'
import { answerChallenge, beginChallenge } from '#app/auth/mfa/challenge.server.ts'
import { enrolKey, enrolPhone, enrolTotp, unenrol } from '#app/auth/mfa/factor.server.ts'
import type { KeyAnswer } from '#app/auth/mfa/key-factor.server.ts'
import { servesKeyFactors } from '#app/auth/mfa/relying-party.server.ts'
import { phoneNumber } from '#app/auth/protocol/phone-number.ts'
import { INVALID_PHONE, refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { allowBearer } from '#app/auth/http/bearer.server.ts'
import { textField } from '#app/auth/http/body.server.ts'
import { challengeLimit, enrolLimit, factorVerifyLimit } from '#app/auth/http/limits.server.ts'

const LONGEST_NAME = 100

const name = textField.refine((value = '') => value.length <= LONGEST_NAME, `A name has at most ${LONGEST_NAME} characters`)
const wish = z.object({ factor_type: textField, friendly_name: name, issuer: name, phone: textField })
const number = phoneNumber(INVALID_PHONE)
const keyAnswer = z.looseObject({ type: textField, credential_response: z.unknown().optional() }).nullish()
const params = z.object({ id: z.string() })

/** MFA factors. Users with a verified factor must complete MFA before they change factors. */
export const factorsApi: Api = async (app) => {
  app.post('/factors', {
    schema: {
      summary: 'Enroll a second factor',
      tags: ['auth'],
      body: wish,
      response: { 200: begun },
    },
    config: { limit: enrolLimit },
    async handler({ requestContext, body }) {
      const holder = await allowHolder(requestContext)
      const { factor_type: type } = body
      if (type === 'totp') return beginTotp(holder, body)
      if (type === 'phone') return beginPhone(holder, body)
      if (type === 'webauthn') return beginKey(holder, body)
      return refuse('validation_failed', { sentence: 'factor_type needs to be totp, phone, or webauthn' })
    },
  })

  app.post('/factors/:id/challenge', {
    schema: { summary: 'Start an MFA challenge', tags: ['auth'], params, response: { 200: challenged } },
    config: { limit: challengeLimit },
    async handler({ requestContext, params, body }) {
      const holder = await allowHolder(requestContext)
      const { channel } = way.parse(body)
      const { factor, id, expiresAt, key } = await beginChallenge(holder, {
        factorId: readId(params.id),
        address: requestContext.address,
        channel,
      })
      const webauthn = key && { type: key.type, credential_options: { publicKey: key.options } }
      return { id, type: factor.factorType, expires_at: expiresAt, ...(webauthn && { webauthn }) }
    },
  })

  app.post('/factors/:id/verify', {
    schema: {
      summary: 'Complete an MFA challenge with a code or a security key',
      tags: ['auth'],
      params,
      body: z.object({ challenge_id: textField, code: textField, webauthn: keyAnswer }),
      response: { 200: sessionAnswer },
    },
    config: { limit: factorVerifyLimit },
    async handler({ requestContext, params, body: { challenge_id: challengeId = '', code, webauthn } }) {
      const holder = await allowHolder(requestContext)
      const factorId = readId(params.id)
      if (!code && !webauthn) refuse('validation_failed', { sentence: 'Code needs to be non-empty' })
      if (!z.uuid().safeParse(challengeId).success) refuse('validation_failed', { sentence: 'challenge_id must be an UUID' })
      return toSessionAnswer(
        await answerChallenge(holder, { factorId, challengeId, code, key: readKey(webauthn), address: requestContext.address }),
      )
    },
  })

  app.delete('/factors/:id', {
    schema: { summary: 'Remove a second factor', tags: ['auth'], params, response: { 200: z.object({ id: z.string() }) } },
    async handler({ requestContext, params }) {
      const holder = await allowHolder(requestContext)
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

/** Only phone factors need a channel, and many clients send none. */
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

async function beginTotp(
  holder: SessionUser,
  { friendly_name: friendlyName = '', issuer = new URL(env.SITE_URL).host }: z.infer<typeof wish>,
) {
  if (!env.MFA_TOTP_ENROLL_ENABLED) refuse('mfa_totp_enroll_not_enabled')
  const { factor, secret } = await enrolTotp(holder, friendlyName, issuer)
  const totp = { qr_code: secret.qrCode, secret: secret.secret, uri: secret.uri }
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName, totp }
}

async function beginKey(holder: SessionUser, { friendly_name: friendlyName = '' }: z.infer<typeof wish>) {
  if (!servesKeyFactors().enrol) refuse('mfa_webauthn_enroll_not_enabled')
  const factor = await enrolKey(holder, friendlyName)
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName }
}

async function beginPhone(holder: SessionUser, { friendly_name: friendlyName = '', phone }: z.infer<typeof wish>) {
  if (!env.MFA_PHONE_ENROLL_ENABLED) refuse('mfa_phone_enroll_not_enabled')
  const read = number.safeParse(phone)
  if (!read.success) refuse('validation_failed', { sentence: INVALID_PHONE })
  const factor = await enrolPhone(holder, friendlyName, read.data)
  return { id: factor.id, type: factor.factorType, friendly_name: friendlyName, phone: read.data }
}

/** Anonymous users cannot enroll MFA. */
async function allowHolder(requestContext: RequestContext): Promise<SessionUser> {
  const holder = await allowBearer(requestContext)
  if (holder.user.isAnonymous) refuse('no_authorization', { kind: 'forbidden', sentence: 'Anonymous users have no factors' })
  return holder
}

function readId(id: string): string {
  if (!z.uuid().safeParse(id).success) refuse('validation_failed', { kind: 'notFound', sentence: 'factor_id must be an UUID' })
  return id
}
