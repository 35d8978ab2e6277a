import { useQuery } from '@tanstack/react-query'
import { FailedEmails } from '#app/mail/failed-emails.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { LatestLeads } from './latest-leads.tsx'
import { LeadTabs } from './lead-tabs.tsx'
import { type LeadSummary, leadSummary } from '#app/leads/inbox/lead-summary.ts'
import { LiveBadge, useLiveLeads } from './live-leads.tsx'
import { ServiceTypes } from './service-types.tsx'
import { StatCards } from './stat-cards.tsx'
import { WaitingNotice } from './waiting-notice.tsx'

const summaryQuery = apiQuery('/api/leads/summary', leadSummary)

/** The /dashboard of staff: the trend first, then the leads. */
export function SalesDashboard() {
  const summary = useQuery(summaryQuery)
  const live = useLiveLeads(summary.data?.latestContacts)
  return (
    <Page kind="work" title="Sales Dashboard" actions={<LiveBadge live={live} />}>
      {summary.isPending && (
        <>
          <Loading>Loading dashboard...</Loading>
          <Skeleton lines={10} />
        </>
      )}
      {summary.isError && <Failed error={summary.error} retry={summary.refetch} />}
      {summary.data && <Figures summary={summary.data} />}
      <ContactPanel />
    </Page>
  )
}

function Figures({ summary }: { summary: LeadSummary }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:gap-6">
      <WaitingNotice waiting={summary.waiting} />
      <FailedEmails />
      <StatCards summary={summary} />
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <EnquiriesChart days={summary.enquiriesPerDay} />
        <ServiceTypes counts={summary.serviceTypes} />
      </div>
      <LatestLeads contacts={summary.latestContacts} consultations={summary.latestConsultations} />
      <LeadTabs summary={summary} />
    </div>
  )
}
