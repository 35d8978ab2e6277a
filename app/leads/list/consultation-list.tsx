import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Cell, TableRow } from '#app/ui/table.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { LeadTable, type LeadColumn } from './inbox-table.tsx'
import { LeadToolbar } from './lead-toolbar.tsx'
import { consultationPage } from './lead-query.ts'
import { leadListUrl } from './lead-view.ts'
import { ListState } from './list-state.tsx'
import { Pager } from './pager.tsx'

const columns: LeadColumn[] = [
  { label: 'Name', sort: 'name', width: '13%' },
  { label: 'Email', sort: 'email', width: '17%' },
  { label: 'Company', sort: 'company', width: '12%' },
  { label: 'Phone', width: '11rem' },
  { label: 'Project Description', width: '38%' },
  { label: 'Date', sort: 'createdAt', width: '8rem' },
]

/** Consultation requests: searched, sorted and paged by the server. */
export function ConsultationList() {
  const [params] = useSearchParams()
  const list = useQuery({
    ...apiQuery(leadListUrl('/api/consultations', params), consultationPage),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <LeadToolbar path="/api/consultations" placeholder="Search name, company, project" />
      <ListState list={list} empty={<p>Open an enquiry and click Convert to consultation to list its call here.</p>}>
        {(page) => (
          <>
            <LeadTable caption="Consultation Requests" columns={columns} busy={list.isPlaceholderData}>
              {page.items.map(({ id, name, email, company, phone, projectDescription, createdAt }) => (
                <TableRow key={id}>
                  <Cell className="font-medium">{name}</Cell>
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
                </TableRow>
              ))}
            </LeadTable>
            <Pager page={page} />
          </>
        )}
      </ListState>
    </div>
  )
}
