import { type RawBuilder, sql } from 'kysely'

/** A list of leads for the search: its table, columns and sort orders. Every expression here has its index. */
export type LeadExportTable<Column extends string> = {
  name: 'contacts' | 'consultations'
  columns: RawBuilder<unknown>
  /** The base condition of the list. */
  listed: RawBuilder<boolean>
  orders: Record<Column, Order>
}

type Order = { key: RawBuilder<unknown>; type: 'timestamptz' | 'text' }

const newest: Order = { key: sql`created_at`, type: 'timestamptz' }
const text = (expression: string): Order => ({ key: sql`(lower(${sql.raw(expression)}) COLLATE "C")`, type: 'text' })

export const contactTable: LeadExportTable<'createdAt' | 'name' | 'email' | 'company' | 'serviceType'> = {
  name: 'contacts',
  columns: sql`contacts.id, contacts.reference, contacts.name, contacts.email, contacts.company, contacts.service_type, contacts.message, contacts.created_at`,
  listed: sql`quarantined_at IS NULL AND deleted_at IS NULL`,
  orders: {
    createdAt: newest,
    name: text('name'),
    email: text('email::text'),
    company: text(`coalesce(company, '')`),
    serviceType: text(`coalesce(service_type, '')`),
  },
}

export const consultationTable: LeadExportTable<'createdAt' | 'name' | 'email' | 'company'> = {
  name: 'consultations',
  columns: sql`consultations.id, consultations.name, consultations.email, consultations.company, consultations.phone, consultations.project_description, consultations.created_at`,
  listed: sql`true`,
  orders: { createdAt: newest, name: text('name'), email: text('email::text'), company: text(`coalesce(company, '')`) },
}
