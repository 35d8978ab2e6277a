import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { roleOf } from '#app/auth/users/role.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

type Session = Row<'sessions'>

const HOUR = 3600
const DAY = 24 * HOUR

/** Default lifetime and idle time, in seconds. Staff see other people's data, so theirs are shorter. */
const limits = { staff: { life: 30 * DAY, idle: 12 * HOUR }, customer: { life: 180 * DAY, idle: 30 * DAY } }

/** Whether a session has expired. It is checked when the session is renewed. */
export async function isOver(trx: Trx, session: Session, { appMetadata }: Pick<User, 'appMetadata'>): Promise<boolean> {
  const { SESSIONS_TIMEBOX, SESSIONS_INACTIVITY_TIMEOUT, SESSIONS_ALLOW_LOW_AAL, SESSIONS_SINGLE_PER_USER } = env
  const { life, idle } = limits[roleOf(appMetadata) === 'customer' ? 'customer' : 'staff']
  if (isOlder(session.createdAt, SESSIONS_TIMEBOX ?? life) || isOlder(session.refreshedAt, SESSIONS_INACTIVITY_TIMEOUT ?? idle)) return true
  const isLow = session.aal === 'aal1' && isOlder(session.createdAt, SESSIONS_ALLOW_LOW_AAL)
  if (isLow && (await hasVerifiedFactor(trx, session.userId))) return true
  return SESSIONS_SINGLE_PER_USER && hasNewer(trx, session)
}

function isOlder(since: Date, seconds: number | undefined): boolean {
  return seconds !== undefined && Date.now() - since.getTime() > seconds * 1000
}

/** Ids sort by time. */
async function hasNewer(trx: Trx, { id, userId }: Session): Promise<boolean> {
  const newer = await trx.selectFrom('sessions').select('id').where('userId', '=', userId).where('id', '>', id).limit(1).executeTakeFirst()
  return newer !== undefined
}
