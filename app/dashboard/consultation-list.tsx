import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery } from '#app/platform/api.ts'
import { Cell, Row } from '#app/ui/table.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { LeadTable, type LeadColumn } from './lead-table.tsx'
import { LeadToolbar } from './lead-toolbar.tsx'
import type { ListedConsultation } from '#app/sales/lead.ts'
import type { Page } from '#app/sales/lead-query.ts'
import { listUrl } from './lead-view.ts'
import { ListState } from './list-state.tsx'
import { Pager } from './pager.tsx'

const columns: LeadColumn[] = [
  { label: 'Name', sort: 'name', width: '15%' },
  { label: 'Email', sort: 'email', width: '20%' },
  { label: 'Company', sort: 'company', width: '13%' },
  { label: 'Phone', width: '14%' },
  { label: 'Project Description', width: '23%' },
  { label: 'Date', sort: 'createdAt', width: '9rem' },
]

/** Consultation requests: searched, ordered and paged by the server. */
export function ConsultationList() {
  const [params] = useSearchParams()
  const list = useQuery({ ...apiQuery<Page<ListedConsultation>>(listUrl('/api/consultations', params)), placeholderData: keepPreviousData })
  return (
    <div className="grid grid-cols-1 gap-4">
      <LeadToolbar path="/api/consultations" placeholder="Name, company, words of the project" />
      <ListState list={list} empty={<p>Open an enquiry and press Convert to consultation: the call is then listed here.</p>}>
        {(page) => (
          <>
            <LeadTable caption="Consultation Requests" columns={columns} busy={list.isPlaceholderData}>
              {page.items.map(({ id, name, email, company, phone, projectDescription, createdAt }) => (
                <Row key={id}>
                  <Cell className="font-semibold">{name}</Cell>
                  <Cell>
                    <a href={`mailto:${email}`} className="link">
                      {email}
                    </a>
                  </Cell>
                  <Cell data-label="Company">{company || '-'}</Cell>
                  <Cell kind="data" data-label="Phone">
                    {phone || '-'}
                  </Cell>
                  <Cell className="whole text-muted">{projectDescription}</Cell>
                  <Cell kind="data">
                    <time dateTime={createdAt}>{formatDay(createdAt)}</time>
                  </Cell>
                </Row>
              ))}
            </LeadTable>
            <Pager page={page} />
          </>
        )}
      </ListState>
    </div>
  )
}
