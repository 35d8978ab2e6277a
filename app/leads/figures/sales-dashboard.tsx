import { Link, useNavigate, useSearchParams } from 'react-router'
import { FailedEmails } from '#app/mail/failed-emails.tsx'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { LeadSummary } from '#app/leads/list/lead-summary.ts'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { promises } from '#app/leads/lead/promises.ts'
import { Card } from '#app/ui/card.tsx'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { LiveBadge, useLiveLeads } from './live-leads.tsx'
import { ContactList } from '#app/leads/list/contact-list.tsx'
import { tabOf, tabs, toTab } from '#app/leads/list/lead-view.ts'
import { formatCount, leadCountText } from '#app/leads/lead/format.ts'
import { Insights } from './insights.tsx'
import { LeadValues, StatCards } from './stat-cards.tsx'
import { summaryQuery } from '#app/leads/list/summary-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { type InsightPeriod, insightPeriods } from './lead-insights.ts'

const panelCode = laterCode('The enquiry', () => import('#app/leads/record/lead-panel.tsx'))
const consultationCode = laterCode('The list', () => import('#app/leads/list/consultation-list.tsx'))
const figureCode = laterCode('The figures', () => import('./desk-figures.tsx'))
const quarantineCode = laterCode('The list', () => import('#app/leads/list/quarantine-list.tsx'))

/** The /dashboard of staff: what other nouns put first, the figures in one band, then the charts of the chosen period, then the leads. */
export function SalesDashboard({ above }: { above?: React.ReactNode }) {
  const summary = usePageQuery(summaryQuery)
  const live = useLiveLeads(summary.data?.latestContacts)
  const days = usePeriod()
  return (
    <Page
      kind="work"
      title="Sales Dashboard"
      actions={
        <div className="flex flex-wrap items-center gap-3">
          <PeriodSwitch days={days} />
          <LiveBadge live={live} />
        </div>
      }
    >
      {above}
      {summary.isPending && (
        <>
          <Loading>Loading dashboard...</Loading>
          <Skeleton lines={10} />
        </>
      )}
      {summary.isError && <Failed error={summary.error} retry={summary.refetch} />}
      {summary.data && <Figures summary={summary.data} days={days} />}
      <OpenEnquiry />
    </Page>
  )
}

/** The drawer with the enquiry that the URL names. */
function OpenEnquiry() {
  const { params, change } = useView()
  const id = params.get('contact')
  if (id === null) return null
  return (
    <LaterDialog code={panelCode} onClose={() => change({ contact: undefined })}>
      {({ LeadPanel }) => <LeadPanel key={id} id={id} />}
    </LaterDialog>
  )
}

/** The period of trends and charts is in the URL. */
function usePeriod(): InsightPeriod {
  const [params] = useSearchParams()
  return insightPeriods.find((days) => String(days) === params.get('days')) ?? DEFAULT_PERIOD
}

const DEFAULT_PERIOD = 30

function PeriodSwitch({ days }: { days: InsightPeriod }) {
  const [params] = useSearchParams()
  return (
    <nav aria-label="Period" className="flex rounded-control border border-edge bg-surface p-0.5">
      {insightPeriods.map((period) => (
        <Link
          key={period}
          to={withChanges(params, {
            days: period === DEFAULT_PERIOD ? undefined : String(period),
            cursor: params.get('cursor') ?? undefined,
          })}
          preventScrollReset
          aria-current={period === days ? 'true' : undefined}
          className="flex min-h-7 items-center rounded-[0.3rem] px-2 font-mono text-fine text-muted hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink pointer-coarse:min-h-11"
        >
          {period} d
        </Link>
      ))}
    </nav>
  )
}

function Figures({ summary, days }: { summary: LeadSummary; days: InsightPeriod }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <WaitingNotice waiting={summary.waiting} />
      <FailedEmails />
      <LeadValues days={days} />
      <StatCards summary={summary} days={days} />
      <h2 id="charts" className="sr-only">
        Charts
      </h2>
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <EnquiriesChart days={summary.enquiriesPerDay} />
        <ServiceTypes counts={summary.serviceTypes} />
      </div>
      <Fold summary={<span className="font-semibold">Funnel, stages and reply times</span>}>
        <div className="grid grid-cols-1 gap-3">
          <Insights days={days} />
          <Later code={figureCode}>{({ DeskFigures }) => <DeskFigures days={days} />}</Later>
        </div>
      </Fold>
      <LeadTabs summary={summary} />
    </div>
  )
}

/** The lists of leads. The open tab is in the URL. */
function LeadTabs({ summary }: { summary: LeadSummary }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const open = (value: string) => {
    const tab = tabs.find((known) => known === value)
    if (tab) void navigate(toTab(tab), { preventScrollReset: true })
  }
  return (
    <section id="leads" aria-label="Leads" tabIndex={-1} className="min-w-0 scroll-mt-4">
      <Tabs
        label="Leads"
        value={tabOf(params)}
        onValueChange={open}
        tabs={[
          {
            value: 'contacts',
            label: 'Contact Inquiries',
            count: summary.contacts,
            content: <ContactList summary={summary} />,
          },
          {
            value: 'consultations',
            label: 'Consultation Requests',
            count: summary.consultations,
            content: <Later code={consultationCode}>{({ ConsultationList }) => <ConsultationList />}</Later>,
          },
          {
            value: 'quarantine',
            label: 'Quarantine',
            count: summary.quarantined,
            content: <Later code={quarantineCode}>{({ QuarantineList }) => <QuarantineList />}</Later>,
          },
        ]}
      />
    </section>
  )
}

/** The overdue enquiries. Renders nothing when there are none. */
export function WaitingNotice({ waiting }: Pick<LeadSummary, 'waiting'>) {
  if (waiting.overAcknowledgement === 0) return null
  const { overAcknowledgement, overResponse } = waiting
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 rounded-card border border-l-4 border-line border-l-alarm bg-surface px-4 py-2 text-small">
      <span>
        <strong className="text-alarm">
          {leadCountText(overAcknowledgement, 'enquiry is', 'enquiries are')} past the {promises.readHours}-hour reply target
        </strong>
        {overResponse > 0 && ` (${overResponse} past ${promises.answerHours} hours)`}.
      </span>
      <ShowWaiting />
    </p>
  )
}

function ShowWaiting() {
  const [params] = useSearchParams()
  if (params.get('filter') === 'waiting') return null
  return (
    <Link to="?filter=waiting&sort=createdAt" preventScrollReset onClick={showLeads} className="link font-semibold">
      View overdue
    </Link>
  )
}

/** The list is below the notice: on a small screen, out of sight. */
function showLeads() {
  const list = document.getElementById('leads')
  list?.focus({ preventScroll: true })
  list?.scrollIntoView({ block: 'start' })
}

/** The most requested services. Each bar is text and a link to its leads. */
export function ServiceTypes({ counts }: { counts: LeadSummary['serviceTypes'] }) {
  const most = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <Card as="section" aria-labelledby="service-types" className="flex flex-col">
      <h2 id="service-types" className="mb-4 text-h3">
        Service Type Distribution
      </h2>
      {counts.length === 0 && <p className="text-small text-muted">Requested services are counted here from the first enquiry.</p>}
      <ul className="-mx-2 grid max-h-52 grow content-start gap-0.5 overflow-y-auto">
        {counts.map(({ serviceType, count }) => (
          <li key={serviceType}>
            <Link
              to={`?service=${encodeURIComponent(serviceType)}`}
              preventScrollReset
              onClick={showLeads}
              className="group grid gap-1.5 rounded-control px-2 py-1.5 hover:bg-sunken"
            >
              <span className="flex items-baseline justify-between gap-4 text-small">
                <span className="min-w-0 truncate group-hover:underline">{serviceType}</span>
                <span className="font-mono tabular-nums">{formatCount(count)}</span>
              </span>
              <span aria-hidden="true" className="h-1.5 rounded-full bg-sunken">
                <span className="block h-full min-w-1.5 rounded-full bg-grain" style={{ width: `${(count / most) * 100}%` }} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
