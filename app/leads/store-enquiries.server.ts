import { sql } from 'kysely'
import { z } from 'zod'
import { ownerEmail } from '#app/auth/users/account.server.ts'
import { insertable, type Trx } from '#app/platform/database/db.server.ts'
import { GroupCommit } from '#app/platform/database/group-commit.server.ts'
import { type PreparedStatement, preparedStatement } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Source } from '#app/platform/source.ts'
import { hasListener } from '#app/platform/webhook-event.server.ts'
import type { Enquiry, EnquiryReceipt } from './contact.ts'
import { FIRST_PAGE_VERSION } from './enquiry/page-link.server.ts'
import { type DatasetRequest, leadJobs } from './lead-emails.server.ts'
import { noteWithheldEmail } from './lead-event.server.ts'
import { NEW_LEAD } from './lead-webhook.server.ts'
import { deadlines } from './promises.ts'

type EnquiryRow = Enquiry & {
  id: string
  /** That of a new person, unless the address has one already. */
  personId: string
  reference: string
  countryCode: string | null
  idempotencyKey: string | null
  spamScore: number
  spamReasons: string[]
  quarantinedAt: Date | null
  cameFrom?: Source | null
}

/** An enquiry as it will be stored, and whether its sender gets an email. */
export type NewEnquiry = { row: EnquiryRow; acknowledge: boolean; request?: DatasetRequest | undefined }

/** Enquiries that arrive at the same time, or during a transaction, share the next one. */
export const enquiryGroups = new GroupCommit(storeEnquiries)

/** Stores enquiries with their people, emails and notifications: two statements for any number of them. */
export async function storeEnquiries(trx: Trx, enquiries: readonly NewEnquiry[]): Promise<EnquiryReceipt[]> {
  const stored = new Map((await insertEnquiries(trx, enquiries)).map((row) => [row.id, row]))
  const leads = enquiries.flatMap(({ row, acknowledge, request }) => {
    const added = stored.get(row.id)
    if (!added) throw new Error('An enquiry was not stored.')
    const page = { contactId: row.id, pageVersion: FIRST_PAGE_VERSION }
    return row.quarantinedAt ? [] : [{ contact: { ...row, ...added }, rest: { ...added, page, acknowledge }, request }]
  })
  const withheld = leads.filter(({ rest }) => !rest.acknowledge)
  for (const { contact } of withheld) await noteWithheldEmail(trx, contact.id, 'The acknowledgement')
  const jobs = leadJobs(leads)
  if (jobs.length > 0) await enqueue(trx, ...jobs)
  return enquiries.map(({ row: { id, reference } }) => ({ id, reference }))
}

/** One enquiry that waits for a lock must not hold up the others for longer: alone, it has the usual time. */
const GROUP_LOCK_TIMEOUT = '500ms'

const added = z.object({
  id: z.string(),
  createdAt: z.date(),
  promisedFrom: z.date(),
  deadlines: z.record(z.string(), z.coerce.date()).transform(toDeadlines),
  owner: z.string().nullable(),
  isAwaited: z.boolean(),
})

/**
 * Finds or adds the person of each address, and adds the enquiries. A later message does not rename a person: anyone can type any address.
 * In the order of unique keys, so that two processes cannot wait for each other.
 */
async function insertEnquiries(trx: Trx, enquiries: readonly NewEnquiry[]) {
  const { columns, records } = insertable(
    'contacts',
    enquiries.map(({ row }) => row),
  )
  const patience = enquiries.length > 1 ? GROUP_LOCK_TIMEOUT : null
  const rows = await insertOf(columns)(trx, patience, records)
  return rows.map((row) => added.parse(row))
}

/** By the columns: enquiries of all forms have the same ones. */
const inserts = new Map<string, PreparedStatement<unknown>>()

function insertOf(columns: readonly string[]): PreparedStatement<unknown> {
  const names = columns.join()
  const known = inserts.get(names)
  if (known) return known
  const given = sql.join(columns.filter((column) => column !== 'personId').map((column) => sql.ref(column)))
  const insert = preparedStatement(
    (patience, records) => sql`
    WITH given AS MATERIALIZED (
      SELECT row.* FROM (SELECT set_config('lock_timeout', coalesce(${patience}::text, current_setting('lock_timeout')), true)) AS patience,
        jsonb_populate_recordset(NULL::contacts, ${records}::jsonb) AS row
    ), person AS (
      INSERT INTO people (id, email, name) SELECT DISTINCT ON (email) person_id, email, name FROM given ORDER BY email, id
      ON CONFLICT (email) DO UPDATE SET updated_at = now() RETURNING coalesce(merged_into, people.id) AS settled_id, email AS address
    )
    INSERT INTO contacts (person_id, ${given})
    SELECT settled_id, ${given} FROM given JOIN person ON address = email ORDER BY idempotency_key
    RETURNING id, created_at, promised_from,
      (SELECT jsonb_object_agg(clock, breach_instant_of(promised_from, hours)) FROM service_promises) AS deadlines,
      ${ownerEmail()} AS owner, ${hasListener(NEW_LEAD)} AS is_awaited`,
  )
  inserts.set(names, insert)
  return insert
}

function toDeadlines(instants: Record<string, Date>) {
  return deadlines.parse(Object.fromEntries(Object.entries(instants).map(([clock, instant]) => [clock, instant.toISOString()])))
}
