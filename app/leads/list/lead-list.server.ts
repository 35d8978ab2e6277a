import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { ListedConsultation, ListedContact } from '#app/leads/lead/lead.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'
import { conditionsOf } from './desk-filter.server.ts'
import { enquirySource, leadSource } from './desk-list.server.ts'
import { deskOrderOf } from './desk-order.server.ts'
import { type ConsultationQuery, type ContactFilter, type ContactQuery, LEAD_LIST_MAX, type LeadPage } from './lead-query.ts'
import { type Conditions, countRows, findCounted, type ListOrder } from './list-search.server.ts'
import { oneTable } from './one-table.server.ts'

/** A lead that is won or lost waits for nothing. */
const isOpen = sql`lead.stage_id IN (SELECT id FROM lead_stages WHERE outcome = 'open')`

const filters: Record<ContactFilter, Partial<Conditions>> = {
  waiting: { narrow: [condition`NOT lead.is_answered AND NOT lead.is_withdrawn AND ${isOpen}`] },
  unproposed: { narrow: [condition`NOT lead.is_withdrawn AND ${isOpen}`], wide: [condition`contact.proposal IS NULL`] },
  answered: { narrow: [condition`lead.is_answered`] },
  consultation: { narrow: [condition`EXISTS (SELECT 1 FROM consultations AS agreed WHERE agreed.contact_id = lead.contact_id)`] },
}

export type ContactChoice = Pick<ContactQuery, 'q' | 'filter' | 'service'>

/** The conditions of the dashboard's list. An empty service type matches enquiries without one, and so does the name that they have in the figures. */
export function contactConditions({ q, filter, service }: ContactChoice): Conditions {
  const { narrow, wide, isSearch } = conditionsOf({ q, service: service === NO_SERVICE_TYPE ? '' : service }, '')
  const chosen = filter ? filters[filter] : {}
  return { narrow: [...narrow, ...(chosen.narrow ?? [])], wide: [...wide, ...(chosen.wide ?? [])], isSearch }
}

const contactRow = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  serviceType: z.string().nullable(),
  message: z.string(),
  createdAt: z.date(),
  sortKey: z.string(),
  matchCount: z.number().optional(),
})

const contactColumns = sql`contact.id, contact.reference, contact.name, contact.email, contact.company, contact.service_type,
  contact.message, contact.created_at`

/** The desk has the same orders, one of them under another name. */
const deskSortOf = (sort: ContactQuery['sort']) => sort.replace('createdAt', 'created')

/** The tables of a list of enquiries. The work of staff is joined only for conditions on it. */
export async function contactsBy(sort: ContactQuery['sort'], conditions: Conditions) {
  const inDesk = deskSortOf(sort)
  const isOfWork = conditions.narrow.length > 0
  return {
    source: isOfWork ? leadSource : enquirySource,
    sort: inDesk,
    order: isOfWork || !/^-?created$/.test(inDesk) ? await deskOrderOf(inDesk) : byArrival,
    conditions,
  }
}

/** One page of the matching enquiries, with the whole of their messages. Stops at an invalid cursor. */
export async function findContacts({ sort, cursor, limit, ...choice }: ContactQuery): Promise<LeadPage<ListedContact>> {
  const { rows, ...page } = await findCounted({
    ...(await contactsBy(sort, contactConditions(choice))),
    columns: contactColumns,
    read: async (asked) => queryRowsBehind(contactRow, asked),
    cursor,
    limit,
  })
  return { items: rows.map(toListed), ...page }
}

const byArrival: ListOrder = { of: 'contact', key: sql`contact.created_at`, type: 'timestamptz' }

/** Consultation requests, which may have no enquiry. */
export const consultationSource = oneTable({
  table: 'consultations',
  of: 'consultation',
  isListed: condition`true`,
  countAll: rememberCount(
    async () => countRows(sql`FROM consultations`),
    (total) => total,
  ),
})

const consultationOrders: Record<string, ListOrder> = {
  createdAt: { of: 'consultation', key: sql`consultation.created_at`, type: 'timestamptz' },
  name: consultationOrder(sql`consultation.name`),
  email: consultationOrder(sql`consultation.email::text`),
  company: consultationOrder(sql`coalesce(consultation.company, '')`),
}

function consultationOrder(text: RawBuilder<unknown>): ListOrder {
  return { of: 'consultation', key: sql`(lower(${text}) COLLATE "C")`, type: 'text' }
}

const consultationRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  projectDescription: z.string(),
  createdAt: z.date(),
  sortKey: z.string(),
  matchCount: z.number().optional(),
})

export const consultationColumns = sql`consultation.id, consultation.name, consultation.email, consultation.company, consultation.phone,
  consultation.project_description, consultation.created_at`

export const consultationConditions = (q: string): Conditions => ({ narrow: matching(q), wide: [], isSearch: q !== '' })

export function consultationOrderOf(sort: ConsultationQuery['sort']): ListOrder {
  const order = consultationOrders[sort.replace('-', '')]
  if (!order) throw new Error(`Consultations have no order by ${sort}.`)
  return order
}

export async function findConsultations({ q, sort, cursor, limit }: ConsultationQuery): Promise<LeadPage<ListedConsultation>> {
  const { rows, ...page } = await findCounted({
    source: consultationSource,
    columns: consultationColumns,
    read: async (asked) => queryRowsBehind(consultationRow, asked),
    sort,
    order: consultationOrderOf(sort),
    conditions: consultationConditions(q),
    cursor,
    limit,
  })
  return { items: rows.map(toListed), ...page }
}

/** The newest enquiries, up to the maximum of a list without parameters. */
export function listContacts(): Promise<LeadPage<ListedContact>> {
  return findContacts({ q: '', sort: '-createdAt', limit: LEAD_LIST_MAX })
}

export function listConsultations(): Promise<LeadPage<ListedConsultation>> {
  return findConsultations({ q: '', sort: '-createdAt', limit: LEAD_LIST_MAX })
}

export const countListed = {
  contacts: async () => leadSource.countAll(),
  consultations: async () => consultationSource.countAll(),
}

function toListed<Listed extends { createdAt: Date; sortKey: string; matchCount?: number | undefined }>({
  sortKey: _key,
  matchCount: _count,
  ...row
}: Listed) {
  return { ...row, createdAt: row.createdAt.toISOString() }
}
