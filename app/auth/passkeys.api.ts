import { z } from 'zod'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { listPasskeys } from '#app/passkey/key.server.ts'
import {
  addPasskey,
  allowPasskeys,
  beginPasskey,
  beginPasskeySignIn,
  removeOwnPasskey,
  renamePasskey,
  signInByPasskey,
} from '#app/passkey/passkey.server.ts'
import { db } from '#app/platform/db.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { isSameOrigin } from '#app/platform/origin.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import { allowBearer, clientOf } from './bearer.server.ts'
import { metaSecurity, text } from './body.server.ts'
import { checkCaptcha } from './captcha.server.ts'
import { enrolLimit, factorVerifyLimit, passkeyLimit, signInLimit } from './limits.server.ts'
import { passkeyItem, toPasskeyItem } from './passkey-item.server.ts'

const LONGEST_NAME = 120

const params = z.object({ id: z.string() })
const begun = z.object({ challenge_id: z.string(), options: z.looseObject({ challenge: z.string() }), expires_at: z.int() })
const answer = z.object({ challenge_id: text, credential: z.unknown().optional() })

/** Signing in by a passkey, and the passkeys of one's own account. */
export const passkeysApi: Api = async (app) => {
  app.addHook('preHandler', async () => allowPasskeys())

  app.post('/passkeys/authentication/options', {
    schema: {
      summary: 'Begin to sign in with a passkey',
      tags: ['auth'],
      body: z.object({ gotrue_meta_security: metaSecurity }),
      response: { 200: begun },
    },
    config: { limit: passkeyLimit },
    async handler({ visit, body }) {
      // Nothing can be guessed here, so our own pages are asked for no captcha.
      if (!isSameOrigin(visit.headers)) await checkCaptcha(body.gotrue_meta_security, visit)
      return toBegun(await beginPasskeySignIn())
    },
  })

  app.post('/passkeys/authentication/verify', {
    schema: { summary: 'Sign in with a passkey', tags: ['auth'], body: answer, response: { 200: sessionAnswer } },
    config: { limit: signInLimit },
    async handler({ visit, body }) {
      const { challengeId, credential } = readAnswer(body)
      return toSessionAnswer(await signInByPasskey(challengeId, credential, clientOf(visit)))
    },
  })

  app.post('/passkeys/registration/options', {
    schema: { summary: 'Begin a passkey', tags: ['auth'], response: { 200: begun } },
    config: { limit: enrolLimit },
    handler: async ({ visit }) => toBegun(await beginPasskey(await allowHolder(visit))),
  })

  app.post('/passkeys/registration/verify', {
    schema: { summary: 'Add a passkey', tags: ['auth'], body: answer, response: { 200: passkeyItem } },
    config: { limit: factorVerifyLimit },
    async handler({ visit, body }) {
      const holder = await allowHolder(visit)
      const { challengeId, credential } = readAnswer(body)
      return toPasskeyItem(await addPasskey(holder, challengeId, credential, clientOf(visit)))
    },
  })

  app.get('/passkeys', {
    schema: { summary: 'List one’s own passkeys', tags: ['auth'], response: { 200: z.array(passkeyItem) } },
    async handler({ visit }) {
      const { user } = await allowBearer(visit)
      return (await listPasskeys(db, user.id)).map(toPasskeyItem)
    },
  })

  app.patch('/passkeys/:id', {
    schema: {
      summary: 'Rename a passkey',
      tags: ['auth'],
      params,
      body: z.object({ friendly_name: text }),
      response: { 200: passkeyItem },
    },
    async handler({ visit, params, body: { friendly_name: name } }) {
      const holder = await allowBearer(visit)
      const id = readPasskeyId(params.id)
      if (!name) refuse('validation_failed', { sentence: 'friendly_name is required' })
      if (name.length > LONGEST_NAME) {
        refuse('validation_failed', { sentence: `friendly_name must be ${LONGEST_NAME} characters or less` })
      }
      return toPasskeyItem(await renamePasskey(holder, id, name))
    },
  })

  app.delete('/passkeys/:id', {
    schema: { summary: 'Remove a passkey', tags: ['auth'], params, response: { 204: z.null() } },
    async handler({ visit, params }, reply) {
      const holder = await allowBearer(visit)
      await removeOwnPasskey(holder, readPasskeyId(params.id))
      return reply.status(204).send(null)
    },
  })
}

/** An anonymous account has nobody who could come back to it. */
async function allowHolder(visit: Visit): Promise<Holder> {
  const holder = await allowBearer(visit)
  if (holder.user.isAnonymous) refuse('no_authorization', { kind: 'forbidden', sentence: 'Anonymous users have no passkeys' })
  return holder
}

function readAnswer({ challenge_id: challengeId, credential }: z.infer<typeof answer>) {
  if (!challengeId) refuse('validation_failed', { sentence: 'challenge_id is required' })
  if (!credential) refuse('validation_failed', { sentence: 'credential is required' })
  if (!z.guid().safeParse(challengeId).success) refuse('validation_failed', { sentence: 'challenge_id must be a valid UUID' })
  return { challengeId, credential }
}

function toBegun<Options>({ challengeId, options, expiresAt }: { challengeId: string; options: Options; expiresAt: number }) {
  return { challenge_id: challengeId, options, expires_at: expiresAt }
}

function readPasskeyId(id: string): string {
  if (!z.guid().safeParse(id).success) refuse('validation_failed', { kind: 'notFound', sentence: 'Passkey not found' })
  return id
}
