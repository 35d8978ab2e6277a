import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { leadFieldNames, leadFields } from '#app/leads/lead-fields.ts'
import { csvColumns, CsvExport } from '#app/platform/database/csv-export.server.ts'
import { matching } from '#app/platform/search-words.server.ts'
import { all } from './lead-count.server.ts'
import { filteredLeads } from './lead-list.server.ts'
import type { ContactQuery } from './lead-query.ts'
import { consultationTable, contactTable, type LeadExportTable } from './lead-table.server.ts'

type Choice = Pick<ContactQuery, 'q' | 'filter' | 'service'>

/** All matching enquiries, newest first, as a CSV file. */
export function exportContacts({ q, ...choice }: Choice, bom: boolean): Readable {
  const fields = leadFieldNames.flatMap((name) => {
    const { csvHead } = leadFields[name]
    return csvHead === null ? [] : [{ csvHead, column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }]
  })
  const head = [...fields.map(({ csvHead }) => csvHead), 'Created At']
  const columns = fields.map(({ column }) => column)
  return new CsvExport({ head, bom, queryFor: queryOf(contactTable, columns, [...matching(q), ...filteredLeads(choice)]) })
}

/** All matching consultations, newest first, as a CSV file. */
export function exportConsultations({ q }: Pick<Choice, 'q'>, bom: boolean): Readable {
  const columns = ['name', 'email', 'company', 'phone', 'project_description']
  const head = ['Name', 'Email', 'Company', 'Phone', 'Project Description', 'Created At']
  return new CsvExport({ head, bom, queryFor: queryOf(consultationTable, columns, matching(q)) })
}

function queryOf({ name, listed }: LeadExportTable<'createdAt'>, columns: string[], conditions: RawBuilder<boolean>[]) {
  return (condition: RawBuilder<boolean>, limit: number) => sql`
    SELECT ${csvColumns(columns)} FROM ${sql.table(name)}
    WHERE ${listed} AND ${all(conditions)} AND ${condition}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
}
