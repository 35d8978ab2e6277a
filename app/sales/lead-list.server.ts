import { type RawBuilder, sql } from 'kysely'
import { matching } from '#app/platform/search-words.server.ts'
import type { Row } from '#db/tables.ts'
import type { ListedConsultation, ListedContact } from './lead.ts'
import { type ConsultationQuery, type ContactFilter, type ContactQuery, LIST_MAX, type Page } from './lead-query.ts'
import { findPage } from './lead-search.server.ts'
import { consultationTable, contactTable } from './lead-table.server.ts'

type ContactRow = Pick<Row<'contacts'>, 'id' | 'reference' | 'name' | 'email' | 'company' | 'serviceType' | 'message' | 'createdAt'>
type ConsultationRow = Pick<Row<'consultations'>, 'id' | 'name' | 'email' | 'company' | 'phone' | 'projectDescription' | 'createdAt'>

const filters: Record<ContactFilter, RawBuilder<boolean>> = {
  waiting: sql`answered_at IS NULL`,
  unproposed: sql`proposal IS NULL`,
  answered: sql`answered_at IS NOT NULL`,
  consultation: sql`EXISTS (SELECT 1 FROM consultations AS agreed WHERE agreed.contact_id = contacts.id)`,
}

/** One page of the enquiries that a search means. Stops at a cursor that is not ours. */
export async function findContacts({ q, sort, cursor, limit, ...choice }: ContactQuery): Promise<Page<ListedContact>> {
  const { rows, ...page } = await findPage<ContactRow, keyof (typeof contactTable)['orders']>({
    table: contactTable,
    sort,
    cursor,
    limit,
    conditions: [...matching(q), ...chosen(choice)],
  })
  return { items: rows.map(dated), ...page }
}

export async function findConsultations({ q, sort, cursor, limit }: ConsultationQuery): Promise<Page<ListedConsultation>> {
  const { rows, ...page } = await findPage<ConsultationRow, keyof (typeof consultationTable)['orders']>({
    table: consultationTable,
    sort,
    cursor,
    limit,
    conditions: matching(q),
  })
  return { items: rows.map(dated), ...page }
}

/** The newest enquiries, as many as a list without parameters has at most. */
export function listContacts(): Promise<Page<ListedContact>> {
  return findContacts({ q: '', sort: '-createdAt', limit: LIST_MAX })
}

export function listConsultations(): Promise<Page<ListedConsultation>> {
  return findConsultations({ q: '', sort: '-createdAt', limit: LIST_MAX })
}

/** Which enquiries a filter and a service type mean. An empty service type means those that name none. */
export function chosen({ filter, service }: Pick<ContactQuery, 'filter' | 'service'>): RawBuilder<boolean>[] {
  return [
    ...(filter ? [filters[filter]] : []),
    ...(service === undefined ? [] : [sql<boolean>`(lower(coalesce(service_type, '')) COLLATE "C") = lower(${service})`]),
  ]
}

function dated<Listed extends { createdAt: Date }>(row: Listed): Omit<Listed, 'createdAt'> & { createdAt: string } {
  return { ...row, createdAt: row.createdAt.toISOString() }
}
