import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import type { ListedConsultation } from '#app/leads/lead/lead.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { consultationPage } from './lead-query.ts'
import { leadListUrl } from './lead-view.ts'
import { Day, dayColumn, factColumn, placeOf } from './listed-columns.tsx'

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
    factColumn('name', { sort: 'name', width: '14%' }),
    factColumn('email', { sort: 'email', width: '19%', from: 'medium', view: ({ email }) => <EmailLink email={email} /> }),
    factColumn('company', { sort: 'company', width: '14%', from: 'medium' }),
    factColumn('phone', { width: '9.5rem', kind: 'data', from: 'large' }),
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
    { ...dayColumn, sort: 'createdAt' },
  ],
  renderNarrow: (row) => (
    <>
      <span className="w-full truncate">
        <EmailLink email={row.email} />
      </span>
      {row.phone && <span>{row.phone}</span>}
      <span className="line-clamp-3 w-full">{row.projectDescription}</span>
      <Day {...row} />
    </>
  ),
}

function EmailLink({ email }: { email: string }) {
  if (!email) return '-'
  return (
    <a href={`mailto:${email}`} className="link">
      {email}
    </a>
  )
}

/** Consultation requests, which may have no enquiry. */
export function ConsultationList() {
  const { params } = useView()
  const list = usePageQuery({ ...apiQuery(leadListUrl('/api/consultations', params), consultationPage), placeholderData: keepPreviousData })
  return <ListPage {...look} list={list} rows={list.data?.items} place={placeOf(list.data)} files="/api/consultations" views="none" />
}
