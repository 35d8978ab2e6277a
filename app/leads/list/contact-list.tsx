import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Select } from '#app/ui/input.tsx'
import { Field } from '#app/ui/field.tsx'
import { Cell, TableRow } from '#app/ui/table.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { LeadTable, type LeadColumn } from './inbox-table.tsx'
import { LeadToolbar } from './lead-toolbar.tsx'
import type { ListedContact } from '#app/leads/lead/lead.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { contactFilters, contactPage, LEAD_PAGE_SIZE } from './lead-query.ts'
import { filterLabels, leadListUrl } from './lead-view.ts'
import { ListState } from './list-state.tsx'
import { InQuarantine } from './in-quarantine.tsx'
import { OpenContact } from './open-contact.tsx'
import { Pager } from './pager.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'

const columns: LeadColumn[] = [
  { label: 'Name', sort: 'name', width: '16%' },
  { label: 'Email', sort: 'email', width: '22%' },
  { label: 'Company', sort: 'company', width: '14%' },
  { label: 'Service Type', sort: 'serviceType', width: '16%' },
  { label: 'Message', width: 'auto' },
  { label: 'Date', sort: 'createdAt', width: '9rem' },
]

/**
 * Contact inquiries: searched, filtered, sorted and paged by the server. `expected` is their number before a filter, `quarantined` that of those
 * in the other list.
 */
export function ContactList({ expected, quarantined }: { expected: number; quarantined: number }) {
  const [params] = useSearchParams()
  // Leads that arrive while the list is open are highlighted.
  const [openedAt] = useState(() => new Date().toISOString())
  const list = usePageQuery({ ...apiQuery(leadListUrl('/api/contacts', params), contactPage), placeholderData: keepPreviousData })
  return (
    <div className="grid grid-cols-1 gap-4">
      <LeadToolbar path="/api/contacts" placeholder="Search name, company, message">
        <ContactFilter />
      </LeadToolbar>
      <ListState
        list={list}
        isEmpty={expected === 0}
        empty={quarantined > 0 ? <InQuarantine count={quarantined} /> : <p>New enquiries from the site appear here immediately.</p>}
        waiting={expected > 0 ? <WaitingRows count={Math.min(expected, LEAD_PAGE_SIZE)} /> : undefined}
      >
        {(page) => (
          <>
            <LeadTable caption="Contact Inquiries" columns={columns} busy={list.isPlaceholderData}>
              {page.items.map((contact) => (
                <ContactRow key={contact.id} contact={contact} lit={contact.createdAt > openedAt} />
              ))}
            </LeadTable>
            <Pager page={page} />
          </>
        )}
      </ListState>
    </div>
  )
}

function WaitingRows({ count }: { count: number }) {
  return (
    <>
      <LeadTable caption="Contact Inquiries" columns={columns} busy>
        {Array.from({ length: count }, (_row, at) => (
          <TableRow key={at}>
            {columns.map(({ label }) => (
              <Cell key={label}>{'\u00a0'}</Cell>
            ))}
          </TableRow>
        ))}
      </LeadTable>
      <p role="status" className="font-mono text-fine text-muted">
        Loading...
      </p>
    </>
  )
}

function ContactRow({ contact, lit }: { contact: ListedContact; lit: boolean }) {
  const { id, name, email, company, serviceType, message, createdAt } = contact
  return (
    <TableRow lit={lit} className="relative hover:bg-sunken">
      <Cell className="font-medium">
        <OpenContact id={id}>{name}</OpenContact>
      </Cell>
      <Cell>{email}</Cell>
      <Cell data-label="Company">{company || '-'}</Cell>
      <Cell data-label="Service">{serviceType || NO_SERVICE_TYPE}</Cell>
      <Cell className="text-muted">{message}</Cell>
      <Cell kind="data">
        <time dateTime={createdAt}>{formatDay(createdAt)}</time>
      </Cell>
    </TableRow>
  )
}

function ContactFilter() {
  const { params, change } = useView()
  const filter = params.get('filter') ?? ''
  return (
    <Field label="Show" name="filter" tool>
      <Select key={filter} defaultValue={filter} onChange={(event) => change({ filter: event.target.value })}>
        <option value="">All enquiries</option>
        {contactFilters.map((name) => (
          <option key={name} value={name}>
            {filterLabels[name]}
          </option>
        ))}
      </Select>
    </Field>
  )
}
