import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import type { ListedContact } from '#app/leads/lead/lead.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { InQuarantine } from './no-leads.tsx'
import { contactFilters, contactPage } from './lead-query.ts'
import { filterLabels, leadListUrl } from './lead-view.ts'
import { Day, dayColumn, factColumn, placeOf } from './listed-columns.tsx'
import type { LeadSummary } from './lead-summary.ts'

/** `isNew`: it came while the list is open. */
type ContactRow = ListedContact & { isNew: boolean }

const look: ListLook<ContactRow> = {
  name: 'contacts',
  caption: 'Contact Inquiries',
  one: 'row',
  many: 'rows',
  loading: 'Loading...',
  none: 'Try fewer words. Each one must appear in the same row.',
  nameOf: (contact) => contact.name,
  columns: [
    factColumn('name', { sort: 'name', width: '16%', view: ({ name }) => name, mark: NewMark }),
    factColumn('email', { sort: 'email', width: '22%', from: 'medium' }),
    factColumn('company', { sort: 'company', width: '14%', from: 'medium' }),
    factColumn('serviceType', { sort: 'serviceType', width: '22%', from: 'medium' }),
    factColumn('message', { from: 'large', view: ({ message }) => <span className="text-muted">{message}</span> }),
    { ...dayColumn, sort: 'createdAt' },
  ],
  renderNarrow: (contact) => (
    <>
      <span className="w-full truncate">{contact.email}</span>
      {contact.serviceType && <Badge>{contact.serviceType}</Badge>}
      <span className="line-clamp-2 w-full">{contact.message}</span>
      <Day {...contact} />
    </>
  ),
}

function NewMark({ isNew }: ContactRow) {
  return isNew && <Badge look="leaf">New</Badge>
}

/** Contact inquiries: the leads of the list with the specification's columns. A click opens the record beside it. */
export function ContactList({ summary: { contacts, quarantined, serviceTypes } }: { summary: LeadSummary }) {
  const { params } = useView()
  const [openedAt] = useState(() => new Date().toISOString())
  const list = usePageQuery({ ...apiQuery(leadListUrl('/api/contacts', params), contactPage), placeholderData: keepPreviousData })
  return (
    <ListPage
      {...look}
      filters={[
        { key: 'q', label: 'Search', placeholder: 'Name or message' },
        {
          key: 'filter',
          label: 'Show',
          options: [{ value: '', label: 'All enquiries' }, ...contactFilters.map((value) => ({ value, label: filterLabels[value] }))],
        },
        {
          key: 'service',
          label: 'Service type',
          options: [{ value: '', label: 'All services' }, ...serviceTypes.map(({ serviceType: value }) => ({ value, label: value }))],
        },
      ]}
      empty={{
        title: 'Nothing here yet',
        text:
          contacts === 0 && quarantined > 0 ? <InQuarantine count={quarantined} /> : 'New enquiries from the site appear here immediately.',
      }}
      list={list}
      rows={list.data?.items.map((contact) => ({ ...contact, isNew: contact.createdAt > openedAt }))}
      place={placeOf(list.data)}
      files="/api/contacts"
      views="none"
      opens={({ id }) => ({ to: withChanges(params, { contact: id }), isBeside: true })}
    />
  )
}
