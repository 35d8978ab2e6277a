import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { listPasskeys } from '#app/auth/mfa/key.server.ts'
import {
  addPasskey,
  allowPasskeys,
  beginPasskey,
  beginPasskeySignIn,
  removeOwnPasskey,
  renamePasskey,
  signInByPasskey,
} from '#app/auth/mfa/passkey.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { allowBearer, clientOf } from '#app/auth/http/bearer.server.ts'
import { metaSecurity, textField } from '#app/auth/http/body.server.ts'
import { checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { enrolLimit, factorVerifyLimit, passkeyLimit, signInLimit } from '#app/auth/http/limits.server.ts'
import { passkeyItem, toPasskeyItem } from './passkey-item.server.ts'

const LONGEST_NAME = 120

const params = z.object({ id: z.string() })
const begun = z.object({ challenge_id: z.string(), options: z.looseObject({ challenge: z.string() }), expires_at: z.int() })
const answer = z.object({ challenge_id: textField, credential: z.unknown().optional() })

/** Sign-in by passkey, and the user's own passkeys. */
export const passkeysApi: Api = async (app) => {
  app.addHook('preHandler', async () => allowPasskeys())

  app.post('/passkeys/authentication/options', {
    schema: {
      summary: 'Start a passkey sign-in',
      tags: ['auth'],
      body: z.object({ gotrue_meta_security: metaSecurity }),
      response: { 200: begun },
    },
    config: { limit: passkeyLimit },
    async handler({ requestContext, body }) {
      // Nothing can be guessed here, so our own pages need no captcha.
      if (!isSameOrigin(requestContext.headers)) await checkCaptcha(body.gotrue_meta_security, requestContext)
      return toBegun(await beginPasskeySignIn())
    },
  })

  app.post('/passkeys/authentication/verify', {
    schema: { summary: 'Sign in with a passkey', tags: ['auth'], body: answer, response: { 200: sessionAnswer } },
    config: { limit: signInLimit },
    async handler({ requestContext, body }) {
      const { challengeId, credential } = readAnswer(body)
      return toSessionAnswer(await signInByPasskey(challengeId, credential, clientOf(requestContext)))
    },
  })

  app.post('/passkeys/registration/options', {
    schema: { summary: 'Start adding a passkey', tags: ['auth'], response: { 200: begun } },
    config: { limit: enrolLimit },
    handler: async ({ requestContext }) => toBegun(await beginPasskey(await allowHolder(requestContext))),
  })

  app.post('/passkeys/registration/verify', {
    schema: { summary: 'Add a passkey', tags: ['auth'], body: answer, response: { 200: passkeyItem } },
    config: { limit: factorVerifyLimit },
    async handler({ requestContext, body }) {
      const holder = await allowHolder(requestContext)
      const { challengeId, credential } = readAnswer(body)
      return toPasskeyItem(await addPasskey(holder, challengeId, credential, clientOf(requestContext)))
    },
  })

  app.get('/passkeys', {
    schema: { summary: 'List your passkeys', tags: ['auth'], response: { 200: z.array(passkeyItem) } },
    async handler({ requestContext }) {
      const { user } = await allowBearer(requestContext)
      return (await listPasskeys(db, user.id)).map(toPasskeyItem)
    },
  })

  app.patch('/passkeys/:id', {
    schema: {
      summary: 'Rename a passkey',
      tags: ['auth'],
      params,
      body: z.object({ friendly_name: textField }),
      response: { 200: passkeyItem },
    },
    async handler({ requestContext, params, body: { friendly_name: name } }) {
      const holder = await allowBearer(requestContext)
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
    async handler({ requestContext, params }, reply) {
      const holder = await allowBearer(requestContext)
      await removeOwnPasskey(holder, readPasskeyId(params.id))
      return reply.status(204).send(null)
    },
  })
}

/** Anonymous users cannot add passkeys. */
async function allowHolder(requestContext: RequestContext): Promise<SessionUser> {
  const holder = await allowBearer(requestContext)
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
