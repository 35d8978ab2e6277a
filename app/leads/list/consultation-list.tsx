import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import type { ListedConsultation } from '#app/leads/lead/lead.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { consultationPage } from './lead-query.ts'
import { leadListUrl } from './lead-view.ts'

const look: ListLook<ListedConsultation> = {
  name: 'consultations',
  caption: 'Consultation Requests',
  one: 'row',
  many: 'rows',
  loading: 'Loading...',
  empty: { title: 'Nothing here yet', text: 'Open an enquiry and click Convert to consultation to list its call here.' },
  none: 'Try fewer words. Each one must appear in the same row.',
  nameOf: ({ name }) => name,
  filters: [{ key: 'q', label: 'Search', placeholder: 'Name or project' }],
  columns: [
    { key: 'name', head: 'Name', sort: 'name', width: '14%', view: ({ name }) => name },
    {
      key: 'email',
      head: 'Email',
      sort: 'email',
      width: '19%',
      from: 'medium',
      view: ({ email }) => (
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
      ),
    },
    { key: 'company', head: 'Company', sort: 'company', width: '14%', from: 'medium', view: ({ company }) => company || '-' },
    { key: 'phone', head: 'Phone', width: '9.5rem', kind: 'data', from: 'large', view: ({ phone }) => phone || '-' },
    {
      key: 'project',
      head: 'Project Description',
      from: 'medium',
      view: ({ projectDescription }) => (
        <span title={projectDescription} className="text-muted">
          {projectDescription}
        </span>
      ),
    },
    {
      key: 'date',
      head: 'Date',
      sort: 'createdAt',
      width: '8rem',
      kind: 'data',
      from: 'medium',
      view: ({ createdAt }) => <Day at={createdAt} />,
    },
  ],
  renderNarrow: ({ email, phone, projectDescription, createdAt }) => (
    <>
      <a href={`mailto:${email}`} className="link w-full truncate">
        {email}
      </a>
      {phone && <span>{phone}</span>}
      <span className="line-clamp-3 w-full">{projectDescription}</span>
      <Day at={createdAt} />
    </>
  ),
}

function Day({ at }: { at: string }) {
  return <time dateTime={at}>{formatDay(at)}</time>
}

/** Consultation requests, which may have no enquiry. */
export function ConsultationList() {
  const { params } = useView()
  const list = usePageQuery({ ...apiQuery(leadListUrl('/api/consultations', params), consultationPage), placeholderData: keepPreviousData })
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.items}
      place={
        list.data && {
          next: list.data.nextCursor,
          previous: list.data.previousCursor,
          count: list.data.total,
          isExact: list.data.isTotalExact,
        }
      }
      files="/api/consultations"
      views={<></>}
    />
  )
}
