import { type RawBuilder, sql } from 'kysely'
import { matching } from '#app/platform/search-words.server.ts'
import type { Row } from '#db/tables.ts'
import type { ListedConsultation, ListedContact } from '#app/leads/lead/lead.ts'
import { type ConsultationQuery, type ContactFilter, type ContactQuery, LEAD_LIST_MAX, type LeadPage } from './lead-query.ts'
import { findPage } from './lead-search.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { consultationTable, contactTable } from './lead-table.server.ts'

type ContactRow = Pick<Row<'contacts'>, 'id' | 'reference' | 'name' | 'email' | 'company' | 'serviceType' | 'message' | 'createdAt'>
type ConsultationRow = Pick<Row<'consultations'>, 'id' | 'name' | 'email' | 'company' | 'phone' | 'projectDescription' | 'createdAt'>

/** A lead that is won or lost waits for nothing. */
const isOpen = sql<boolean>`NOT is_closed(contacts.id)`

const filters: Record<ContactFilter, RawBuilder<boolean>> = {
  waiting: sql`answered_at IS NULL AND withdrawn_at IS NULL AND ${isOpen}`,
  unproposed: sql`proposal IS NULL AND withdrawn_at IS NULL AND ${isOpen}`,
  answered: sql`answered_at IS NOT NULL`,
  consultation: sql`EXISTS (SELECT 1 FROM consultations AS agreed WHERE agreed.contact_id = contacts.id)`,
}

/** One page of the matching enquiries. Stops at an invalid cursor. */
export async function findContacts({ q, sort, cursor, limit, ...choice }: ContactQuery): Promise<LeadPage<ListedContact>> {
  const { rows, ...page } = await findPage<ContactRow, keyof (typeof contactTable)['orders']>({
    table: contactTable,
    sort,
    cursor,
    limit,
    conditions: [...matching(q), ...filteredLeads(choice)],
  })
  return { items: rows.map(dated), ...page }
}

export async function findConsultations({ q, sort, cursor, limit }: ConsultationQuery): Promise<LeadPage<ListedConsultation>> {
  const { rows, ...page } = await findPage<ConsultationRow, keyof (typeof consultationTable)['orders']>({
    table: consultationTable,
    sort,
    cursor,
    limit,
    conditions: matching(q),
  })
  return { items: rows.map(dated), ...page }
}

/** The newest enquiries, up to the maximum of a list without parameters. */
export function listContacts(): Promise<LeadPage<ListedContact>> {
  return findContacts({ q: '', sort: '-createdAt', limit: LEAD_LIST_MAX })
}

export function listConsultations(): Promise<LeadPage<ListedConsultation>> {
  return findConsultations({ q: '', sort: '-createdAt', limit: LEAD_LIST_MAX })
}

/** The condition of a filter and a service type. An empty service type matches enquiries without one. */
export function filteredLeads({ filter, service }: Pick<ContactQuery, 'filter' | 'service'>): RawBuilder<boolean>[] {
  return [
    ...(filter ? [filters[filter]] : []),
    ...(service === undefined ? [] : [condition`(lower(coalesce(service_type, '')) COLLATE "C") = lower(${service})`]),
  ]
}

function dated<Listed extends { createdAt: Date }>(row: Listed): Omit<Listed, 'createdAt'> & { createdAt: string } {
  return { ...row, createdAt: row.createdAt.toISOString() }
}
