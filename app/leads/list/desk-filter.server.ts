import { type RawBuilder, sql } from 'kysely'
import { all, type Conditions } from './list-search.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'
import type { DeskFilter } from '#app/leads/lead/desk.ts'
import { filteredTable, matchesPart, matchesWhole, partOf } from '#app/leads/lead/fact-column.server.ts'
import { filteredFacts } from '#app/leads/lead/lead-facts.ts'

/** The conditions of a filter, for someone who may call themselves `me`. */
export function conditionsOf(filter: DeskFilter, userId: string): Conditions {
  const facts = filteredFactsOf(filter)
  return {
    narrow: [
      ...placeOf(filter, userId),
      ...facts.filter(({ table }) => table === 'lead').map(conditionOf),
      ...workOf(filter),
      ...timesOf(filter),
    ],
    wide: [
      // Only enquiries have a column `search`. Anything around it would keep the database from its index.
      ...matching(filter.q),
      ...facts.filter(({ table }) => table === 'contact').map(conditionOf),
      // The index of the search narrows the texts down.
      ...facts.flatMap(({ isInSearch, text }) =>
        isInSearch && text.length > 2 ? [condition`contact.search LIKE ${partOf(text.toLowerCase())}`] : [],
      ),
    ],
    isSearch: Boolean(filter.q) || facts.some(({ isInSearch }) => isInSearch),
  }
}

type FilteredFact = (typeof filteredFacts)[number] & { text: string; table: 'lead' | 'contact' }

/** The filters by a fact that are in use. Only the service type can be filtered for none. */
function filteredFactsOf(filter: DeskFilter): FilteredFact[] {
  const given = new Map<string, unknown>(Object.entries(filter))
  return filteredFacts.flatMap((fact) => {
    const text = given.get(fact.key)
    return typeof text === 'string' && (text !== '' || fact.name === 'serviceType')
      ? [{ ...fact, text, table: filteredTable(fact.name) }]
      : []
  })
}

function conditionOf({ name, match, text }: FilteredFact): RawBuilder<boolean> {
  return match === 'part' ? matchesPart(name, text) : matchesWhole(name, text)
}

function placeOf({ stage, owner }: DeskFilter, userId: string): RawBuilder<boolean>[] {
  const stages = stage?.split(',').map(Number)
  return [
    ...(stages ? [condition`lead.stage_id IN (${sql.join(stages)})`] : []),
    ...(owner === 'none' ? [condition`lead.owner_id IS NULL`] : []),
    ...(owner && owner !== 'none' ? [condition`lead.owner_id = ${owner === 'me' ? userId : owner}::uuid`] : []),
  ]
}

function workOf({ form, tag, reason, starred, answered, least, most }: DeskFilter): RawBuilder<boolean>[] {
  return [
    ...(form ? [condition`lead.form = ${form}`] : []),
    ...(tag ? [condition`lead.tags <> '{}' AND lead.tags @> ARRAY[${tag}]`] : []),
    ...(reason ? [condition`(lower(lead.lost_reason) COLLATE "C") = lower(${reason})`] : []),
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

export const isListedEnquiry = condition`contact.quarantined_at IS NULL AND contact.deleted_at IS NULL`

/**
 * The tables of a query with these conditions, which few leads meet. Conditions on enquiries alone find those first, and the fences (`OFFSET 0`)
 * keep the database from reading all leads, because it takes the matches of a search for more than they are.
 */
export function fromFewLeads(conditions: Conditions, needsContact = false): RawBuilder<unknown> {
  const { narrow, wide } = conditions
  if (narrow.length > 0 || wide.length === 0) return fromLeads(conditions, needsContact)
  return sql`(SELECT * FROM contacts AS contact WHERE ${isListedEnquiry} AND ${all(wide)} OFFSET 0) AS contact
    CROSS JOIN LATERAL (SELECT * FROM leads WHERE leads.contact_id = contact.id OFFSET 0) AS lead WHERE true`
}

/** The tables of a query with these conditions. */
export function fromLeads({ narrow, wide }: Conditions, needsContact = false): RawBuilder<unknown> {
  const tables =
    wide.length > 0 || needsContact ? sql`leads AS lead JOIN contacts AS contact ON contact.id = lead.contact_id` : sql`leads AS lead`
  return sql`${tables} WHERE lead.is_listed AND ${all([...narrow, ...wide])}`
}
