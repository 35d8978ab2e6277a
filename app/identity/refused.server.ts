import { log } from '#app/platform/log.server.ts'
import { outsideTransaction, transaction } from '#app/platform/db.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { audit } from './audit.server.ts'

/** Whoever makes many attempts fills the log with no more than this. */
const perAccount: Limit = { name: 'refusals-noted', points: 20, seconds: 3600 }
const inAll: Limit = { name: 'refusals-noted-in-all', points: 1000, seconds: 3600 }

type Refused = {
  action: 'login_failed' | 'access_refused' | 'verification_attempted'
  /** Counts together what is about one account, known or not. */
  account: string
  subjectId?: string | undefined
  /** Finds the account after the response is on its way, so that the response takes the same time for every account. */
  findSubject?: (() => Promise<string | undefined>) | undefined
  actorId?: string | undefined
  address: string
  detail: Record<string, unknown>
}

/** Writes a refusal to the audit log: at most 20 an hour of each account, and 1,000 in all, of known accounts and of unknown ones. It never holds the answer up, so it tells nobody apart. */
export function noteRefusal(refused: Refused): void {
  outsideTransaction(() => write(refused)).catch((error: unknown) => {
    if (!(error instanceof Stop)) log.warn({ err: error }, 'a refusal could not be written to the audit log')
  })
}

async function write({ action, account, subjectId: known, findSubject, actorId, address, detail }: Refused): Promise<void> {
  await consume(perAccount, `${action}:${account}`)
  const subjectId = known ?? (await findSubject?.())
  // Invented addresses do not use up the room of accounts that there are.
  await consume(inAll, `${action}:${(subjectId ?? actorId) ? 'known' : 'unknown'}`)
  await transaction((trx) => audit(trx, action, { ...(subjectId && { subjectId }), ...(actorId && { actorId }), address, detail }))
}
