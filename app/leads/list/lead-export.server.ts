import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '#app/leads/lead/fact-column.server.ts'
import { enquiryFactNames, factOf, factText, headOf, type LeadFact, staffFactNames } from '#app/leads/lead/lead-facts.ts'
import type { DeskExportQuery, LeadPipeline } from '#app/leads/lead/desk.ts'
import { readPipeline } from '#app/leads/lead/desk-fact.server.ts'
import { readBehind } from '#app/platform/database/replica.server.ts'
import type { ListFile } from '#app/platform/tables/list-file.server.ts'
import { campaignText } from '#app/platform/http/source.ts'
import type { Row } from '#db/tables.ts'
import { type ExportedLead, readDesk } from './desk-list.server.ts'
import {
  consultationColumns,
  consultationConditions,
  consultationOrderOf,
  consultationSource,
  contactConditions,
  contactsBy,
} from './lead-list.server.ts'
import type { ConsultationQuery, ContactQuery } from './lead-query.ts'
import { inOrder } from './list-search.server.ts'

/** The time is text: to make dates of 100,000 of them takes half a second. */
type Keyed = { sortKey: string; createdAtText: string }
type Enquiry = Omit<Row<'contacts'>, 'createdAt'> & Keyed
type Consultation = Omit<Row<'consultations'>, 'createdAt'> & Keyed

/** The columns are of the types of their tables. */
const read =
  <Listed extends Enquiry | Consultation>() =>
  async (asked: RawBuilder<unknown>) =>
    (await readBehind(sql<Listed>`${asked}`)).rows

const contactFields = enquiryFactNames.flatMap((name) => {
  const { csvHead } = factOf(name)
  return csvHead ? [{ name, csvHead }] : []
})

const createdAtOf = ({ createdAtText }: Keyed) => createdAtText
const createdAtText = (of: 'contact' | 'consultation') =>
  sql`to_char(${sql.ref(`${of}.createdAt`)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at_text`

/** All matching enquiries in their order. */
export async function exportContacts({
  sort,
  ...choice
}: Pick<ContactQuery, 'q' | 'filter' | 'service' | 'sort'>): Promise<ListFile<Enquiry>> {
  const columns = contactFields.map(({ csvHead, name }) => [csvHead, (row: Enquiry) => row[name]] as const)
  return {
    columns: { ...Object.fromEntries(columns), 'Created At': createdAtOf },
    batches: inOrder({
      ...(await contactsBy(sort, contactConditions(choice))),
      columns: sql.join([sql`contact.id`, createdAtText('contact'), ...contactFields.map(({ name }) => columnOf(name))]),
      read: read<Enquiry>(),
    }),
  }
}

/** All matching consultations in their order. */
export function exportConsultations({ q, sort }: Pick<ConsultationQuery, 'q' | 'sort'>): ListFile<Consultation> {
  return {
    columns: {
      Name: ({ name }) => name,
      Email: ({ email }) => email,
      Company: ({ company }) => company,
      Phone: ({ phone }) => phone,
      'Project Description': ({ projectDescription }) => projectDescription,
      'Created At': createdAtOf,
    },
    batches: inOrder({
      source: consultationSource,
      columns: sql`${consultationColumns}, ${createdAtText('consultation')}`,
      read: read<Consultation>(),
      sort,
      order: consultationOrderOf(sort),
      conditions: consultationConditions(q),
    }),
  }
}

/** All matching leads in their order, or the chosen ones of them. */
export async function exportLeads(query: DeskExportQuery, userId: string): Promise<ListFile<ExportedLead>> {
  return { columns: columnsOf(await readPipeline()), batches: readDesk(query, userId) }
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
