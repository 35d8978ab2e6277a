import { sql } from 'kysely'
import { z } from 'zod'
import type { ClockName } from '#app/leads/lead/promises.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRow, queryRows } from '#app/platform/database/sql.server.ts'
import type { Overdue, OverdueLead } from './clocks.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

const SHOWN = 6

const foundLead = {
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
  promisedFrom: z.date(),
  acknowledgement: z.boolean(),
  proposal: z.boolean(),
}
type FoundLead = z.infer<z.ZodObject<typeof foundLead>>

/** The overdue enquiries, longest first, and the count for each of the two promises. */
export async function listOverdue(): Promise<Overdue> {
  const [counts, unread, without] = await Promise.all([countedOverdue(), longest('acknowledgement'), longest('proposal')])
  const leads = new Map([...unread, ...without].map((found) => [found.id, found]))
  return {
    ...counts,
    leads: [...leads.values()]
      .toSorted((one, other) => one.promisedFrom.getTime() - other.promisedFrom.getTime())
      .slice(0, SHOWN)
      .map(toOverdue),
  }
}

const countedOverdue = rememberCount(countOverdue, ({ acknowledgement, proposal }) => acknowledgement + proposal)

async function countOverdue() {
  const { next, ...counts } = await queryRow(
    db,
    counted,
    sql`SELECT
    (SELECT count(*) ${running('acknowledgement')} AND due_at <= now()) AS acknowledgement,
    (SELECT count(*) ${running('proposal')} AND due_at <= now()) AS proposal,
    (SELECT count(*) ${running('acknowledgement')} AND due_at > now()) AS in_time,
    least((SELECT min(due_at) ${running('acknowledgement')} AND due_at > now()), (SELECT min(due_at) ${running('proposal')} AND due_at > now())) AS next`,
  )
  return { ...counts, nextInSeconds: next && Math.max(0, Math.ceil((next.getTime() - Date.now()) / 1000)) }
}

const counted = { acknowledgement: z.number(), proposal: z.number(), inTime: z.number(), next: z.nullable(z.date()) }

function running(clock: ClockName) {
  return sql`FROM lead_clocks WHERE state = 'running' AND clock = ${clock}`
}

async function longest(clock: ClockName): Promise<FoundLead[]> {
  const isOver = (name: ClockName) => sql`EXISTS (SELECT ${running(name)} AND contact_id = contacts.id AND due_at <= now())`
  return queryRows(
    db,
    foundLead,
    sql`
    SELECT id, reference, name, company, promised_from, answered_at IS NULL AS acknowledgement, ${isOver('proposal')} AS proposal
    FROM (SELECT contact_id, due_at ${running(clock)} AND due_at <= now() ORDER BY due_at LIMIT ${SHOWN}) AS due
    JOIN contacts ON contacts.id = contact_id ORDER BY promised_from`,
  )
}

function toOverdue({ promisedFrom, ...lead }: FoundLead): OverdueLead {
  return { ...lead, promisedFrom: promisedFrom.toISOString() }
}
