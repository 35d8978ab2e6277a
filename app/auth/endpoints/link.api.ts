import { z } from 'zod'
import { metadata, parseEmail, parseNewEmail, redirectQuery, textField, wishedTarget } from '#app/auth/http/body.server.ts'
import { checkNewPassword } from '#app/auth/sessions/password.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { authUser } from '#app/auth/sessions/auth-user.ts'
import { describeUser } from '#app/auth/sessions/session-response.server.ts'
import { LINK_TYPES, type ActionLinkRequest, makeActionLink } from '#app/auth/directory/action-link.server.ts'
import { actorOf } from './admin-bearer.server.ts'
import { hashGiven } from './user-body.server.ts'

const body = z.object({
  type: textField,
  email: textField,
  new_email: textField,
  password: textField,
  data: metadata,
  redirect_to: textField,
})

const answer = z.object({
  ...authUser.shape,
  action_link: z.string(),
  email_otp: z.string(),
  hashed_token: z.string(),
  verification_type: z.string(),
  redirect_to: z.string(),
})

/** Links and codes for operators who send their own emails. */
export const adminLinkApi: Api = async (app) => {
  app.post('/admin/generate_link', {
    schema: {
      summary: 'Create an email link and code without sending an email',
      tags: ['auth-admin'],
      querystring: redirectQuery,
      body,
      response: { 200: answer },
    },
    async handler({ requestContext, body, query, headers }) {
      const redirect = { redirect_to: query.redirect_to ?? body.redirect_to }
      const target = wishedTarget({ query: redirect, headers }) ?? env.SITE_URL
      const wish = await readWish(body)
      const { user, link, code, type } = await transaction((trx) => makeActionLink(trx, wish, actorOf(requestContext)))
      return {
        ...(await describeUser(user)),
        action_link: actionLink(link, type.startsWith('email_change') ? 'email_change' : type, target),
        email_otp: code,
        hashed_token: link,
        verification_type: type,
        redirect_to: target,
      }
    },
  })
}

async function readWish({ type: written, email, new_email: newEmail, password, data }: z.infer<typeof body>): Promise<ActionLinkRequest> {
  const type = z.enum(LINK_TYPES).safeParse(written)
  if (!type.success) refuse('validation_failed', { sentence: 'Invalid email action link type requested' })
  const known = parseEmail(email ?? refuse('validation_failed', { sentence: 'An email address is required' }))
  const wish = { type: type.data, email: known, data, newEmail: newEmail && parseNewEmail(newEmail) }
  if (wish.type !== 'signup') return wish
  if (!password) refuse('validation_failed', { sentence: 'Signup requires a valid password' })
  await checkNewPassword(password, 'customer', { email: known, userMetadata: data })
  return { ...wish, ...(await hashGiven({ password, importedHash: undefined })) }
}

function actionLink(token: string, type: string, target: string): string {
  return `${env.API_EXTERNAL_URL}/verify?${new URLSearchParams({ token, type, redirect_to: target })}`
}
