import type { Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

type Session = Row<'sessions'>

/** Whether a session has come to an end that the settings set. It is looked at when the session is to be renewed. */
export async function isOver(trx: Trx, session: Session): Promise<boolean> {
  const { SESSIONS_TIMEBOX, SESSIONS_INACTIVITY_TIMEOUT, SESSIONS_ALLOW_LOW_AAL, SESSIONS_SINGLE_PER_USER } = env
  if (isOlder(session.createdAt, SESSIONS_TIMEBOX) || isOlder(session.refreshedAt, SESSIONS_INACTIVITY_TIMEOUT)) return true
  const isLow = session.aal === 'aal1' && isOlder(session.createdAt, SESSIONS_ALLOW_LOW_AAL)
  if (isLow && (await hasVerifiedFactor(trx, session.userId))) return true
  return SESSIONS_SINGLE_PER_USER && hasNewer(trx, session)
}

function isOlder(since: Date, seconds: number | undefined): boolean {
  return seconds !== undefined && Date.now() - since.getTime() > seconds * 1000
}

/** Ids are in the order of time. */
async function hasNewer(trx: Trx, { id, userId }: Session): Promise<boolean> {
  const newer = await trx.selectFrom('sessions').select('id').where('userId', '=', userId).where('id', '>', id).limit(1).executeTakeFirst()
  return newer !== undefined
}
