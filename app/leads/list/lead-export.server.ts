import { type RawBuilder, sql } from 'kysely'
import { leadFieldNames, leadFields } from '#app/leads/lead/lead-fields.ts'
import { readBehind } from '#app/platform/database/replica.server.ts'
import { createdAtOf, createdBefore, createdColumns, type CreatedRow, inBatches, type ListFile } from '#app/platform/list-file.server.ts'
import { matching } from '#app/platform/search-words.server.ts'
import type { Row } from '#db/tables.ts'
import { all } from './lead-count.server.ts'
import { filteredLeads } from './lead-list.server.ts'
import type { ContactQuery } from './lead-query.ts'
import { consultationTable, contactTable, type LeadExportTable } from './lead-table.server.ts'

type Choice = Pick<ContactQuery, 'q' | 'filter' | 'service'>
type Enquiry = Omit<Row<'contacts'>, 'createdAt'> & CreatedRow
type Consultation = Omit<Row<'consultations'>, 'createdAt'> & CreatedRow

const contactFields = leadFieldNames.flatMap((name) => {
  const { csvHead } = leadFields[name]
  return csvHead === null ? [] : [{ name, csvHead }]
})

/** All matching enquiries, newest first. */
export function exportContacts({ q, ...choice }: Choice): ListFile<Enquiry> {
  const columns = contactFields.map(({ csvHead, name }) => [csvHead, (row: Enquiry) => row[name]] as const)
  return {
    columns: { ...Object.fromEntries(columns), 'Created At': createdAtOf },
    batches: listed(
      contactTable,
      contactFields.map(({ name }) => name),
      [...matching(q), ...filteredLeads(choice)],
    ),
  }
}

/** All matching consultations, newest first. */
export function exportConsultations({ q }: Pick<Choice, 'q'>): ListFile<Consultation> {
  return {
    columns: {
      Name: ({ name }) => name,
      Email: ({ email }) => email,
      Company: ({ company }) => company,
      Phone: ({ phone }) => phone,
      'Project Description': ({ projectDescription }) => projectDescription,
      'Created At': createdAtOf,
    },
    batches: listed(consultationTable, ['name', 'email', 'company', 'phone', 'projectDescription'], matching(q)),
  }
}

function listed<Lead extends CreatedRow>(table: LeadExportTable<'createdAt'>, columns: string[], conditions: RawBuilder<boolean>[]) {
  return inBatches<Lead>(async (last, limit) => {
    const { rows } = await readBehind(sql<Lead>`
      SELECT ${sql.join(columns.map((column) => sql.ref(column)))}, ${createdColumns} FROM ${sql.table(table.name)}
      WHERE ${table.listed} AND ${all(conditions)} AND ${createdBefore(last)}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`)
    return rows
  })
}
