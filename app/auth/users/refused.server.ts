import { log } from '#app/platform/process/log.server.ts'
import { outsideTransaction, transaction } from '#app/platform/database/db.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { audit } from './audit.server.ts'

/** Limits how much one account's attempts can add to the log. */
const perAccount: Limit = { name: 'refusals-noted', points: 20, seconds: 3600 }
/** A rate limit refuses again and again, so one event is enough. */
const oncePerHour: Limit = { name: 'limits-noted', points: 1, seconds: 3600 }
const inAll: Limit = { name: 'refusals-noted-in-all', points: 1000, seconds: 3600 }

type Refused = {
  action: 'login_failed' | 'access_refused' | 'verification_attempted' | 'rate_limited'
  /** Counts the refusals of one account together, known or not. */
  account: string
  subjectId?: string | undefined
  /** Finds the account after the response is on its way, so that the response takes the same time for every account. */
  findSubject?: (() => Promise<string | undefined>) | undefined
  actorId?: string | undefined
  address: string
  detail: Record<string, unknown>
}

/**
 * Writes a refusal to the audit log: at most 20 an hour for each account, and 1,000 for all known and 1,000 for all unknown accounts. The
 * response does not wait for it, so its time shows nothing about the account.
 */
export function noteRefusal(refused: Refused): void {
  const written = outsideTransaction(() => write(refused))
    .catch((error: unknown) => {
      if (!(error instanceof Stop)) log.warn({ err: error }, 'a refusal could not be written to the audit log')
    })
    .finally(() => writing.delete(written))
  writing.add(written)
}

const writing = new Set<Promise<void>>()

/** Resolves when all refusals so far are in the audit log. Close the database only then: a transaction that begins on a closing engine never ends. */
export async function refusalsWritten(): Promise<void> {
  await Promise.all(writing)
}

/** A request that a rate limit stopped. `account` counts the requests of one account or one visitor together. */
type Limited = Omit<Refused, 'action' | 'detail'> & { kind: 'sign_in' | 'sign_up' | 'code' | 'second_step' | 'recovery' | 'message' }

/** Records a request that a rate limit stopped: at most once an hour for each kind and account or visitor. */
export function noteLimited({ kind, account, ...about }: Limited): void {
  noteRefusal({ action: 'rate_limited', account: `${kind}:${account}`, ...about, detail: { kind } })
}

/** Runs a count against a limit, and records when the limit stops it. */
export async function notingLimit<T>(limited: Limited, count: () => Promise<T>): Promise<T> {
  try {
    return await count()
  } catch (error) {
    if (error instanceof Stop && error.kind === 'tooMany') noteLimited(limited)
    throw error
  }
}

async function write({ action, account, subjectId: known, findSubject, actorId, address, detail }: Refused): Promise<void> {
  await consume(action === 'rate_limited' ? oncePerHour : perAccount, `${action}:${account}`)
  const subjectId = known ?? (await findSubject?.())
  // Invented addresses must not use up the limit of existing accounts.
  await consume(inAll, `${action}:${(subjectId ?? actorId) ? 'known' : 'unknown'}`)
  await transaction((trx) => audit(trx, action, { ...(subjectId && { subjectId }), ...(actorId && { actorId }), address, detail }))
}
