import { hours } from '#app/content/hours.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { ClockName, Deadlines } from './promises.ts'
import { breachInstantOf } from './open-span.server.ts'

type Promised = { id: string; promisedFrom: Date }

/** The deadlines of each of these enquiries. Imported ones have no clocks, so theirs count all hours. */
export async function findDeadlines(enquiries: readonly Promised[]): Promise<(enquiry: Promised) => Deadlines> {
  const rows =
    enquiries.length === 0
      ? []
      : await db
          .selectFrom('leadClocks')
          .select(['contactId', 'clock', 'dueAt'])
          .where(
            'contactId',
            'in',
            enquiries.map(({ id }) => id),
          )
          .execute()
  return deadlinesBy(rows)
}

type Clock = { contactId: string; clock: string; dueAt: Date }

/** The same from the clocks of these enquiries, where a query has just read them. */
export function deadlinesBy(clocks: readonly Clock[]): (enquiry: Promised) => Deadlines {
  const dues = new Map(clocks.map(({ contactId, clock, dueAt }) => [`${contactId}:${clock}`, dueAt]))
  return ({ id, promisedFrom }) => {
    const due = (clock: ClockName) => (dues.get(`${id}:${clock}`) ?? breachInstantOf(promisedFrom, hours[clock])).toISOString()
    return { acknowledgement: due('acknowledgement'), response: due('response'), proposal: due('proposal') }
  }
}
