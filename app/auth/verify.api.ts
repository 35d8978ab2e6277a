import { z } from 'zod'
import { mailPath } from '#app/identity/mail-link.server.ts'
import { refuse } from '#app/identity/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import type { OpenSession } from '#app/session/session.server.ts'
import { verifyCode, verifyLink, type VerificationType } from '#app/session/verification.server.ts'
import { clientOf } from './bearer.server.ts'
import { readEmail, redirectQuery, text, wishedTarget } from './body.server.ts'
import { verifyLimit } from './limits.server.ts'

const types = z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email'])
const body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text })

export const verifyApi: Api = async (app) => {
  app.post('/verify', {
    schema: { summary: 'Sign in by the link or the code of a letter', tags: ['auth'], body, response: { 200: sessionAnswer } },
    config: { limit: verifyLimit },
    async handler({ body, visit }) {
      return toSessionAnswer(await verify(body, visit))
    },
  })

  // Programs that look at every link of a letter come here, too: only the button of the page uses anything up.
  app.get('/verify', {
    schema: {
      summary: 'Open the page for the link of a letter',
      tags: ['auth'],
      querystring: z.object({ token: text, token_hash: text, type: text, ...redirectQuery.shape }),
    },
    async handler({ query, headers }, reply) {
      const token = query.token ?? query.token_hash
      if (!token) refuse('validation_failed', { sentence: 'Verify requires a token' })
      const type = readType(query.type)
      const page = type === 'recovery' || type === 'invite' ? type : 'signup'
      return reply.redirect(mailPath(page, token, wishedTarget({ query, headers })), 303)
    },
  })
}

async function verify({ type, token, token_hash: link, email, phone }: z.infer<typeof body>, visit: Visit): Promise<OpenSession> {
  const known = readType(type)
  if (Boolean(token) === Boolean(link)) refuse('validation_failed', { sentence: 'Verify requires either a token or a token hash' })
  if (link) {
    if (email || phone) refuse('validation_failed', { sentence: 'Only the token_hash and type should be provided' })
    return verifyLink(known, link, clientOf(visit))
  }
  if (phone || !email) refuse('validation_failed', { sentence: 'Only an email address or phone number should be provided' })
  return verifyCode(known, readEmail(email, 'unprocessable'), token ?? '', clientOf(visit))
}

function readType(type: string | undefined): VerificationType {
  if (!type) refuse('validation_failed', { sentence: 'Verify requires a verification type' })
  const read = types.safeParse(type)
  if (!read.success) refuse('validation_failed', { sentence: 'Invalid verification type' })
  return read.data
}
