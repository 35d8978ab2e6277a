import { sql } from 'kysely'
import { z } from 'zod'
import { countQuarantine } from '#app/leads/spam/quarantine-count.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { countListed, findConsultations, findContacts } from '#app/leads/list/lead-list.server.ts'
import { conversionRate, type LeadSummary } from '#app/leads/list/lead-summary.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'

const DAYS = 90
const LATEST = { q: '', sort: '-createdAt', cursor: undefined, limit: 5 } as const

/** The figures of the sales dashboard. Quarantined enquiries count only in the quarantine figure. */
export async function summariseLeads(): Promise<LeadSummary> {
  const [figures, contacts, consultations, quarantined] = await Promise.all([
    countedFigures(),
    findContacts(LATEST),
    findConsultations(LATEST),
    countQuarantine(),
  ])
  return { ...figures, quarantined, latestContacts: contacts.items, latestConsultations: consultations.items }
}

const countedFigures = rememberCount(countFigures, ({ total }) => total)

async function countFigures() {
  const [contacts, consultations, serviceTypes, enquiriesPerDay, waiting] = await Promise.all([
    countListed.contacts(),
    countListed.consultations(),
    countServiceTypes(),
    countDays(),
    countWaiting(),
  ])
  const total = contacts + consultations
  return {
    contacts,
    consultations,
    total,
    serviceTypes,
    enquiriesPerDay,
    waiting,
    conversionRate: conversionRate(consultations, contacts),
  }
}

async function countServiceTypes() {
  const rows = await queryRowsBehind(
    { serviceType: z.string(), count: z.number() },
    sql`
    SELECT coalesce(nullif(service_type, ''), ${NO_SERVICE_TYPE}) AS service_type, count(*) FROM contacts
    WHERE quarantined_at IS NULL AND deleted_at IS NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100`,
  )
  return rows
}

/** One figure for each day, including days without enquiries. */
async function countDays() {
  const start = startOfDays()
  const rows = await queryRowsBehind(
    { date: z.string(), count: z.number() },
    sql`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*) FROM contacts
    WHERE quarantined_at IS NULL AND deleted_at IS NULL AND created_at >= ${start} GROUP BY 1`,
  )
  const counts = new Map(rows.map(({ date, count }) => [date, count]))
  return Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(start.getTime() + day * 86_400_000).toISOString().slice(0, 10)
    return { date, count: counts.get(date) ?? 0 }
  })
}

async function countWaiting() {
  const rows = await queryRowsBehind(
    { total: z.number(), overAcknowledgement: z.number(), overResponse: z.number() },
    sql`
    SELECT (SELECT count(*) FROM contacts WHERE quarantined_at IS NULL AND deleted_at IS NULL AND answered_at IS NULL AND withdrawn_at IS NULL AND NOT is_closed(id)) AS total,
      (SELECT count(*) FROM lead_clocks WHERE state = 'running' AND clock = 'acknowledgement' AND due_at < now()) AS over_acknowledgement,
      (SELECT count(*) FROM lead_clocks WHERE state = 'running' AND clock = 'response' AND due_at < now()) AS over_response`,
  )
  return rows[0] ?? { total: 0, overAcknowledgement: 0, overResponse: 0 }
}

function startOfDays(): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (DAYS - 1)))
}
