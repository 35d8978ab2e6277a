import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { promises } from '#app/leads/promises.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRow, queryRows } from '#app/platform/database/sql.server.ts'
import type { Overdue, OverdueLead } from './clocks.ts'
import { rememberCount } from './remembered.server.ts'

const SHOWN = 6

const foundLead = {
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  company: z.nullable(z.string()),
  promisedFrom: z.date(),
  answeredAt: z.nullable(z.date()),
  isOpen: z.boolean(),
}
type FoundLead = z.infer<z.ZodObject<typeof foundLead>>

/** The overdue enquiries, longest first, and the count for each of the two promises. */
export async function listOverdue(): Promise<Overdue> {
  const [counts, unread, without] = await Promise.all([
    countedOverdue(),
    longest(unacknowledged, promises.readHours),
    longest(unproposed, promises.proposalHours),
  ])
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
  const { next, nextProposal, ...counts } = await queryRow(
    db,
    counted,
    sql`SELECT * FROM
    (SELECT count(*) AS acknowledgement ${unacknowledged} AND promised_from < ${before(promises.readHours)}) AS late,
    (SELECT count(*) AS proposal ${unproposed} AND promised_from < ${before(promises.proposalHours)}) AS late_proposal,
    (SELECT count(*) AS in_time, min(promised_from) AS next ${unacknowledged} AND promised_from >= ${before(promises.readHours)}) AS running,
    (SELECT min(promised_from) AS next_proposal ${unproposed} AND promised_from >= ${before(promises.proposalHours)}) AS running_proposal`,
  )
  const dues = [dueIn(next, promises.readHours), dueIn(nextProposal, promises.proposalHours)].filter((due) => due !== null)
  return { ...counts, nextInSeconds: dues.length > 0 ? Math.min(...dues) : null }
}

const counted = {
  acknowledgement: z.number(),
  proposal: z.number(),
  inTime: z.number(),
  next: z.nullable(z.date()),
  nextProposal: z.nullable(z.date()),
}

const unacknowledged = sql`FROM contacts WHERE quarantined_at IS NULL AND deleted_at IS NULL AND answered_at IS NULL`
const unproposed = sql`FROM contacts WHERE quarantined_at IS NULL AND deleted_at IS NULL AND proposal IS NULL`

function dueIn(since: Date | null, hours: number): number | null {
  return since && Math.max(0, Math.ceil((since.getTime() - before(hours).getTime()) / 1000))
}

async function longest(open: RawBuilder<unknown>, hours: number): Promise<FoundLead[]> {
  return queryRows(
    db,
    foundLead,
    sql`
    SELECT id, reference, name, company, promised_from, answered_at, proposal IS NULL AS is_open ${open} AND promised_from < ${before(hours)}
    ORDER BY promised_from LIMIT ${SHOWN}`,
  )
}

function toOverdue({ answeredAt, isOpen, promisedFrom, ...lead }: FoundLead): OverdueLead {
  return {
    ...lead,
    promisedFrom: promisedFrom.toISOString(),
    acknowledgement: answeredAt === null,
    proposal: isOpen && promisedFrom < before(promises.proposalHours),
  }
}

/** Clocks run in elapsed hours: the site promises no business hours. */
function before(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000)
}
