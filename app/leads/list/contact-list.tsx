import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import type { ListedContact } from '#app/leads/lead/lead.ts'
import { leadFacts, NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { InQuarantine } from './in-quarantine.tsx'
import { contactFilters, contactPage } from './lead-query.ts'
import { filterLabels, leadListUrl } from './lead-view.ts'
import type { LeadSummary } from './lead-summary.ts'

const { name, email, company, serviceType, message } = leadFacts

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
    {
      key: 'name',
      head: name.csvHead,
      sort: 'name',
      width: '16%',
      view: (contact) => (
        <>
          {contact.name} {contact.isNew && <Badge look="leaf">New</Badge>}
        </>
      ),
    },
    { key: 'email', head: email.csvHead, sort: 'email', width: '22%', from: 'medium', view: (contact) => contact.email },
    { key: 'company', head: company.csvHead, sort: 'company', width: '14%', from: 'medium', view: (contact) => contact.company || '-' },
    {
      key: 'service',
      head: serviceType.csvHead,
      sort: 'serviceType',
      width: '22%',
      from: 'medium',
      view: (contact) => contact.serviceType || NO_SERVICE_TYPE,
    },
    { key: 'message', head: message.csvHead, from: 'large', view: (contact) => <span className="text-muted">{contact.message}</span> },
    {
      key: 'date',
      head: 'Date',
      sort: 'createdAt',
      width: '8rem',
      kind: 'data',
      from: 'medium',
      view: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
    },
  ],
  renderNarrow: (contact) => (
    <>
      <span className="w-full truncate">{contact.email}</span>
      {contact.serviceType && <Badge>{contact.serviceType}</Badge>}
      <span className="line-clamp-2 w-full">{contact.message}</span>
      <time dateTime={contact.createdAt}>{formatDay(contact.createdAt)}</time>
    </>
  ),
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
      place={
        list.data && {
          next: list.data.nextCursor,
          previous: list.data.previousCursor,
          count: list.data.total,
          isExact: list.data.isTotalExact,
        }
      }
      files="/api/contacts"
      views={<></>}
      opens={({ id }) => ({ to: withChanges(params, { contact: id }), isBeside: true })}
    />
  )
}
