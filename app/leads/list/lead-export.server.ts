import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '#app/leads/lead/fact-column.server.ts'
import { enquiryFactNames, factOf, factText, headOf, type LeadFact, staffFactNames } from '#app/leads/lead/lead-facts.ts'
import type { DeskExportQuery, LeadPipeline } from '#app/leads/lead/desk.ts'
import { readPipeline } from '#app/leads/lead/desk-fact.server.ts'
import { readBehind } from '#app/platform/database/replica.server.ts'
import {
  BATCH_ROWS,
  createdAtOf,
  createdBefore,
  createdColumns,
  type CreatedRow,
  inBatches,
  type ListFile,
} from '#app/platform/tables/list-file.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'
import { campaignText } from '#app/platform/http/source.ts'
import type { Row } from '#db/tables.ts'
import { type ExportedLead, findDeskPage } from './desk-list.server.ts'
import { type ContactChoice, contactConditions } from './lead-list.server.ts'
import { all, type Conditions } from './list-search.server.ts'

type Enquiry = Omit<Row<'contacts'>, 'createdAt'> & CreatedRow
type Consultation = Omit<Row<'consultations'>, 'createdAt'> & CreatedRow

const contactFields = enquiryFactNames.flatMap((name) => {
  const { csvHead } = factOf(name)
  return csvHead ? [{ name, csvHead }] : []
})

/** All matching enquiries, newest first. */
export function exportContacts(choice: ContactChoice): ListFile<Enquiry> {
  const columns = contactFields.map(({ csvHead, name }) => [csvHead, (row: Enquiry) => row[name]] as const)
  return {
    columns: { ...Object.fromEntries(columns), 'Created At': createdAtOf },
    batches: newestFirst({
      columns: sql.join(contactFields.map(({ name }) => columnOf(name))),
      from: contactsOf(contactConditions(choice)),
    }),
  }
}

/** All matching consultations, newest first. */
export function exportConsultations({ q }: Pick<ContactChoice, 'q'>): ListFile<Consultation> {
  return {
    columns: {
      Name: ({ name }) => name,
      Email: ({ email }) => email,
      Company: ({ company }) => company,
      Phone: ({ phone }) => phone,
      'Project Description': ({ projectDescription }) => projectDescription,
      'Created At': createdAtOf,
    },
    batches: newestFirst({
      columns: sql`name, email, company, phone, project_description`,
      from: sql`FROM consultations WHERE ${all(matching(q))}`,
    }),
  }
}

/** Only a filter of staff's work needs the other table. */
function contactsOf({ narrow, wide }: Conditions): RawBuilder<unknown> {
  const work = sql`EXISTS (SELECT FROM leads AS lead WHERE lead.contact_id = contact.id AND ${all(narrow)})`
  return sql`FROM contacts AS contact WHERE contact.quarantined_at IS NULL AND contact.deleted_at IS NULL AND ${all(wide)}
    AND ${narrow.length > 0 ? work : sql`true`}`
}

type Exported = { columns: RawBuilder<unknown>; from: RawBuilder<unknown> }

function newestFirst<Lead extends CreatedRow>({ columns, from }: Exported) {
  return inBatches<Lead>(async (last, limit) => {
    const { rows } = await readBehind(sql<Lead>`
      SELECT ${columns}, ${createdColumns} ${from} AND ${createdBefore(last)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`)
    return rows
  })
}

/** All matching leads in their order, or the chosen ones of them. */
export async function exportLeads(query: DeskExportQuery, userId: string): Promise<ListFile<ExportedLead>> {
  return { columns: columnsOf(await readPipeline()), batches: batchesOf(query, userId) }
}

/** The columns of the file, by their heads. Values are in whole units of money. */
function columnsOf(pipeline: LeadPipeline): ListFile<ExportedLead>['columns'] {
  const ofFacts = [...enquiryFactNames, ...staffFactNames].map(
    (name) => [headOf(factOf(name)), (lead: ExportedLead) => cellText(factOf(name), lead[name], pipeline)] as const,
  )
  return {
    Reference: ({ reference }) => reference,
    ...Object.fromEntries(ofFacts),
    'Answered At': ({ answeredAt }) => answeredAt,
    'Created At': ({ createdAt }) => createdAt,
    'Form Page': ({ cameFrom }) => cameFrom?.path,
    Referrer: ({ cameFrom }) => cameFrom?.referrer,
    Campaign: ({ cameFrom }) => cameFrom && campaignText(cameFrom),
  }
}

function cellText(fact: LeadFact, value: unknown, { stages, owners }: LeadPipeline): string {
  if (fact.kind === 'stage') return stages.find(({ id }) => id === value)?.name ?? ''
  if (fact.kind === 'owner') return owners.find(({ id }) => id === value)?.name ?? ''
  if (fact.kind === 'money') return typeof value === 'number' ? (value / 100).toFixed(2) : ''
  if (fact.kind === 'flag') return value === true ? 'yes' : ''
  return factText(fact, value)
}

async function* batchesOf({ ids, ...query }: DeskExportQuery, userId: string): AsyncGenerator<ExportedLead[]> {
  for (let cursor: string | undefined; ;) {
    const { leads, nextCursor } = await findDeskPage({ ...query, cursor, limit: BATCH_ROWS }, userId, {
      ids: ids?.split(','),
      isWhole: true,
    })
    yield leads
    if (!nextCursor) return
    cursor = nextCursor
  }
}
