import { z } from 'zod'
import { audit } from '#app/identity/audit.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { transaction } from '#app/platform/db.server.ts'
import { log } from '#app/platform/log.server.ts'
import type { SessionTokens } from '#app/platform/session-cookie.server.ts'
import type { Client } from '#app/session/client.ts'
import { isShut, meetHosted } from './hosted-account.server.ts'
import { settleHosted } from './hosted-owner.server.ts'
import { projectSettings } from './project-settings.server.ts'
import { settle } from './hosted-answer.server.ts'
import { type Answer, askProject } from './project.server.ts'
import { checkProjectToken, isSharedSecret } from './project-token.server.ts'

const person = z.object({
  id: z.guid(),
  email: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  user_metadata: z.record(z.string(), z.unknown()).catch({}),
  factors: z.array(z.object({ status: z.string() })).catch([]),
})

const SHARED_SECRET =
  'The sign-in service signs with a shared secret (HS256), which cannot be checked here. Its operator has to give it an asymmetric signing key (ES256).'

/** What of an answer opens a session. */
const opened = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1), user: person.optional() })

export type OpenedSession = z.infer<typeof opened>

export function readOpened(answer: unknown): OpenedSession | undefined {
  return opened.safeParse(answer).data
}

/** The tokens of a session that was opened; nothing where the answer holds none. */
export async function tokensOf(answer: Answer, client: Client): Promise<SessionTokens | undefined> {
  settle(answer)
  const opened = readOpened(answer.body)
  if (!opened) return undefined
  await admit(opened, client)
  return { access: opened.access_token, refresh: opened.refresh_token }
}

/**
 * Looks at a session that the hosted service has opened or renewed, before anyone gets it: whoever is banned here or has been signed out here gets
 * nothing, and the session is ended over there as well.
 */
export async function admit({ access_token: token, user }: OpenedSession, client: Client): Promise<void> {
  const checked = await checkProjectToken(token)
  if (checked.state !== 'valid') {
    if (isSharedSecret(token)) {
      log.error(
        'the hosted auth service signs its tokens with a shared secret (HS256): add an asymmetric signing key to the project, and rotate to it',
      )
      refuse('unexpected_failure', { sentence: SHARED_SECRET, retryAfter: 300 })
    }
    log.warn('a token of the hosted auth service could not be checked with the keys that it publishes')
    refuse('unexpected_failure', { sentence: 'The sign-in service answered with a token that cannot be checked', retryAfter: 30 })
  }
  const { account, session, isNew } = await meetHosted(checked.claims, client)
  if (isShut(account) || session?.endedAt) {
    await askProject({ method: 'POST', path: '/logout?scope=local', token }, client).catch(() => undefined)
    if (isShut(account)) refuse('user_banned')
    refuse('session_not_found', { kind: 'badRequest' })
  }
  if (user?.id === account.id) await learn(user)
  if (isNew) await noteLogin(account.id, client)
}

/** What the hosted service says of a person. Whether it has looked whose an address is, only its settings tell. */
export async function learn(answer: unknown): Promise<void> {
  const read = person.safeParse(answer)
  if (!read.success) return
  const { id, email, email_confirmed_at: confirmedAt, user_metadata: userMetadata, factors } = read.data
  const isProven = Boolean(email && confirmedAt) && !(await projectSettings()).mailer_autoconfirm
  await transaction(async (trx) => {
    const account = await trx.selectFrom('hostedAccounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!account) return
    const before = account.email === email ? account.emailConfirmedAt : null
    const proven = isProven ? (before ?? new Date()) : null
    const known = await trx
      .updateTable('hostedAccounts')
      .set({
        email: email || null,
        emailConfirmedAt: proven,
        userMetadata: JSON.stringify(userMetadata),
        hasFactor: factors.some(({ status }) => status === 'verified'),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await settleHosted(trx, known)
  })
}

/** For the log of what happened; how they signed in only the hosted service knows. */
async function noteLogin(accountId: string, { address }: Client): Promise<void> {
  await transaction((trx) => audit(trx, 'login', { actorId: accountId, subjectId: accountId, address, detail: { method: 'hosted' } }))
}
