import { type RawBuilder, sql } from 'kysely'
import { all } from './lead-count.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/search-words.server.ts'
import type { DeskFilter } from '#app/leads/lead/desk.ts'

/** `narrow` conditions need only `lead`, a row of `leads`; `wide` ones also `contact`, its enquiry. */
export type DeskConditions = { narrow: RawBuilder<boolean>[]; wide: RawBuilder<boolean>[]; isSearch: boolean }

/** The conditions of a filter, for someone who may call themselves `me`. */
export function conditionsOf(filter: DeskFilter, userId: string): DeskConditions {
  const { q, name, email, company } = filter
  return {
    narrow: [...placeOf(filter, userId), ...factsOf(filter), ...timesOf(filter)],
    wide: [
      // Only enquiries have a column `search`. Anything around it would keep the database from its index.
      ...matching(q),
      ...(name ? [condition`contact.name ILIKE ${partOf(name)}`] : []),
      ...(email ? [condition`contact.email::text ILIKE ${partOf(email)}`] : []),
      ...(company ? [condition`contact.company ILIKE ${partOf(company)}`] : []),
      // The index of the search narrows the texts down.
      ...[name, email, company].flatMap((text) =>
        text && text.length > 2 ? [condition`contact.search LIKE ${partOf(text.toLowerCase())}`] : [],
      ),
    ],
    isSearch: Boolean(q || name || email || company),
  }
}

function placeOf({ stage, owner }: DeskFilter, userId: string): RawBuilder<boolean>[] {
  const stages = stage?.split(',').map(Number)
  return [
    ...(stages ? [condition`lead.stage_id IN (${sql.join(stages)})`] : []),
    ...(owner === 'none' ? [condition`lead.owner_id IS NULL`] : []),
    ...(owner && owner !== 'none' ? [condition`lead.owner_id = ${owner === 'me' ? userId : owner}::uuid`] : []),
  ]
}

function factsOf({ phone, country, service, form, tag, starred, answered, least, most }: DeskFilter): RawBuilder<boolean>[] {
  return [
    ...(phone ? [condition`lead.phone ILIKE ${partOf(phone)}`] : []),
    ...(country ? [condition`(lower(lead.country) COLLATE "C") = lower(${country})`] : []),
    ...(service === undefined ? [] : [condition`lower(coalesce(lead.service_type, '')) = lower(${service})`]),
    ...(form ? [condition`lead.form = ${form}`] : []),
    ...(tag ? [condition`lead.tags <> '{}' AND lead.tags @> ARRAY[${tag}]`] : []),
    ...(starred ? [condition`lead.is_starred`] : []),
    // As they are in the index of unanswered leads.
    ...(answered === 'yes' ? [condition`lead.is_answered`] : []),
    ...(answered === 'no' ? [condition`NOT lead.is_answered AND NOT lead.is_withdrawn`] : []),
    ...(least === undefined ? [] : [condition`coalesce(lead.value_cents, -1) >= ${Math.round(least * 100)}`]),
    ...(most === undefined ? [] : [condition`coalesce(lead.value_cents, -1) BETWEEN 0 AND ${Math.round(most * 100)}`]),
  ]
}

const DAY = 86_400_000

function timesOf({ next, from, until }: DeskFilter): RawBuilder<boolean>[] {
  const now = new Date()
  const tomorrow = new Date(Math.floor(now.getTime() / DAY) * DAY + DAY)
  const due = condition`coalesce(lead.next_step_at, 'infinity'::timestamptz) < ${next === 'today' ? tomorrow : new Date(now.getTime() + 7 * DAY)}`
  return [
    ...(next === 'none' ? [condition`lead.next_step IS NULL AND lead.next_step_at IS NULL`] : []),
    ...(next === 'overdue' ? [condition`coalesce(lead.next_step_at, 'infinity'::timestamptz) < ${now}`] : []),
    ...(next === 'today' || next === 'week' ? [due] : []),
    ...(from ? [condition`lead.created_at >= ${new Date(from)}`] : []),
    ...(until ? [condition`lead.created_at < ${new Date(Date.parse(until) + DAY)}`] : []),
  ]
}

function partOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** The tables of a query with these conditions. */
export function fromLeads({ narrow, wide }: DeskConditions, needsContact = false): RawBuilder<unknown> {
  const tables =
    wide.length > 0 || needsContact ? sql`leads AS lead JOIN contacts AS contact ON contact.id = lead.contact_id` : sql`leads AS lead`
  return sql`${tables} WHERE lead.is_listed AND ${all([...narrow, ...wide])}`
}
