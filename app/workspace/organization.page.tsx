import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { z } from 'zod/mini'
import type { Handle } from '#app/access.server.ts'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { organizationCalls, organizationCallsOf } from '#app/booking/organization-calls.ts'
import { listedOrder } from '#app/billing/admin/desk.ts'
import { money, orderPath, OrderState } from '#app/billing/admin/look.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { KeysOf } from '#app/data-api/keys/organization-keys.tsx'
import { organizationGrant } from '#app/datasets/access/entitlement.ts'
import { organizationPeople, organizationPeopleOf } from '#app/leads/record/organization-people.ts'
import { StaffActions, StaffFacts, StaffNotices } from '#app/organizations/admin/staff-facts.tsx'
import { STAFF_ORGANIZATIONS, type StaffOrganization, staffOrganization } from '#app/organizations/admin/staff-organization.ts'
import { AuditSection } from '#app/organizations/audit/audit-section.tsx'
import { DomainsSection } from '#app/organizations/domains/domains-section.tsx'
import { MembersSection } from '#app/organizations/members/members-section.tsx'
import { SignInSection } from '#app/organizations/sign-in/sign-in-section.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { RecordPage } from '#app/ui/admin/record.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { Page } from '#app/ui/page.tsx'

export const handle = { access: 'organizations.manage' } satisfies Handle

export const meta = () => pageMeta({ title: 'Organization', index: false })

/** A company with everything of it: each noun adds its panel here. */
export default function OrganizationPage() {
  const { reference = '' } = useParams()
  const navigate = useNavigate()
  const query = useQuery(apiQuery(`${STAFF_ORGANIZATIONS}/${encodeURIComponent(reference)}`, staffOrganization))
  const back = (
    <Link to="/admin/organizations" className="hover:text-ink">
      Organizations
    </Link>
  )
  return (
    <Page kind="work" eyebrow={back} title={query.data?.reference ? `Organization ${query.data.reference}` : 'Organization'}>
      <RecordPage
        query={query}
        one="organization"
        titleOf={titleOf}
        renderState={({ state, isPersonal }) => (
          <p className="flex flex-wrap gap-2">
            <Badge look={state === 'active' ? 'leaf' : 'plain'}>{states[state]}</Badge>
            {isPersonal && <Badge>Personal</Badge>}
          </p>
        )}
        renderActions={(organization) => !organization.mergedInto && <StaffActions organization={organization} />}
        close={() => void navigate('/admin/organizations')}
      >
        {(organization) => <Organization organization={organization} />}
      </RecordPage>
    </Page>
  )
}

const states = { active: 'Active', suspended: 'Suspended', closed: 'Closed' }

/** A private customer goes by the name on their invoices. */
const titleOf = ({ isPersonal, legalName, name }: StaffOrganization) => (isPersonal && legalName) || name

const notice = 'rounded-control border border-line px-4 py-3 text-small'

function Organization({ organization }: { organization: StaffOrganization }) {
  const { id, state, isPersonal, sameVat, mergedInto } = organization
  const isManaged = !isPersonal && !mergedInto
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid gap-3 empty:hidden">
        {sameVat.length > 0 && (
          <p role="status" className={cx(notice, 'bg-grain-wash')}>
            Same VAT number:{' '}
            {sameVat.map(({ id: otherId, name }) => (
              <Link key={otherId} to={`/admin/organizations/${otherId}`} className="link mr-2">
                {name || 'a person alone'}
              </Link>
            ))}
            Is it the same company? You can merge them.
          </p>
        )}
        {mergedInto && (
          <p role="status" className={cx(notice, 'bg-sunken')}>
            This organization was merged into{' '}
            <Link to={`/admin/organizations/${mergedInto.reference}`} className="link">
              {mergedInto.name}
            </Link>
            . Its issued invoices keep its name.
          </p>
        )}
        {!mergedInto && <StaffNotices organization={organization} />}
        {isManaged && <p className="text-small text-muted">You act on behalf of this organization. The audit log names you.</p>}
      </div>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <StaffFacts organization={organization} />
          {!isPersonal && state !== 'closed' && (
            <>
              <MembersSection organization={{ ...organization, role: 'admin' }} mayManage />
              <DomainsSection organizationId={id} isStaff />
              <SignInSection organizationId={id} />
              <AuditSection organizationId={id} />
            </>
          )}
        </div>
        <div className="grid grid-cols-1 gap-6">
          <Orders organization={organization} />
          <Grants id={id} />
          <People id={id} />
          <Calls id={id} />
          {!isPersonal && state !== 'closed' && <KeysOf organization={organization} />}
        </div>
      </div>
    </div>
  )
}

/** A panel with rows of another noun. */
function Panel<Rows extends z.ZodMiniType<readonly unknown[]>>({ id, title, url, schema, none, all, children }: PanelProps<Rows>) {
  const rows = useQuery(apiQuery(url, schema))
  return (
    <AccountSection id={id} title={title}>
      {rows.isPending && <Loading>Loading...</Loading>}
      {rows.isError && <Failed error={rows.error} retry={rows.refetch} />}
      {rows.data && rows.data.length === 0 && <p className="text-small text-muted">{none}</p>}
      {rows.data && rows.data.length > 0 && <ul className="divide-y divide-line border-y border-line text-small">{children(rows.data)}</ul>}
      {all && rows.data && rows.data.length > 0 && (
        <Link to={all.to} className="link justify-self-start text-small">
          {all.label}
        </Link>
      )}
    </AccountSection>
  )
}

type PanelProps<Rows extends z.ZodMiniType> = {
  id: string
  title: string
  url: string
  schema: Rows
  none: string
  /** The list of all of them: the panel has the newest. */
  all?: { to: string; label: string }
  children: (rows: z.output<Rows>) => React.ReactNode
}

function Orders({ organization: { id, reference, legalName, name } }: { organization: StaffOrganization }) {
  return (
    <Panel
      id="orders"
      title="Orders and invoices"
      url={`${STAFF_ORGANIZATIONS}/${id}/orders`}
      schema={z.array(listedOrder)}
      none="No order yet."
      all={{ to: `/admin/billing?q=${encodeURIComponent(reference ?? (legalName || name))}`, label: 'All orders' }}
    >
      {(orders) =>
        orders.map((order) => (
          <li key={order.id} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
            <span className="min-w-0">
              <Link to={orderPath(order.reference)} className="link font-semibold">
                {order.reference}
              </Link>{' '}
              <span className="text-muted">{[order.title, order.invoice].filter(Boolean).join(' · ')}</span>
            </span>
            <span className="flex items-baseline gap-3">
              <OrderState order={order} />
              <span className="font-mono text-fine">{money(order.gross, order)}</span>
            </span>
          </li>
        ))
      }
    </Panel>
  )
}

function Grants({ id }: { id: string }) {
  return (
    <Panel
      id="datasets"
      title="Datasets"
      url={`${STAFF_ORGANIZATIONS}/${id}/entitlements`}
      schema={z.array(organizationGrant)}
      none="No dataset was granted yet. Grant one on the page of the product."
    >
      {(grants) =>
        grants.map(({ id: grantId, slug, product, expiresAt, revokedAt }) => (
          <li key={grantId} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
            <Link to={`/data-marketplace/${slug}`} className="link">
              {product}
            </Link>
            <span className="text-muted">
              {revokedAt ? `Revoked ${formatDay(revokedAt)}` : expiresAt ? `Until ${formatDay(expiresAt)}` : 'No end'}
            </span>
          </li>
        ))
      }
    </Panel>
  )
}

function People({ id }: { id: string }) {
  return (
    <Panel
      id="people"
      title="People and leads"
      url={organizationPeopleOf(id)}
      schema={organizationPeople}
      none="No lead belongs to it yet. Set the organization on a lead’s page."
    >
      {(people) =>
        people.map(({ id: personId, name, email, leads }) => (
          <li key={personId} className="grid gap-1 py-2">
            <p className="font-semibold">
              {name} <span className="font-normal text-muted wrap-anywhere">{email}</span>
            </p>
            {leads.map(({ reference, problem, stage, createdAt }) => (
              <p key={reference} className="flex flex-wrap items-baseline justify-between gap-3">
                <Link to={`/leads/${reference}`} className="link min-w-0 truncate">
                  {problem}
                </Link>
                <span className="text-muted">
                  {stage} · <time dateTime={createdAt}>{formatDay(createdAt)}</time>
                </span>
              </p>
            ))}
          </li>
        ))
      }
    </Panel>
  )
}

function Calls({ id }: { id: string }) {
  return (
    <Panel id="calls" title="Calls" url={organizationCallsOf(id)} schema={organizationCalls} none="No call yet.">
      {(calls) =>
        calls.map(({ id: callId, name, status, startsAt }) => (
          <li key={callId} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
            <span>{name}</span>
            <span className="text-muted">
              {callStates[status] ?? status} · <time dateTime={startsAt}>{formatMoment(startsAt)}</time>
            </span>
          </li>
        ))
      }
    </Panel>
  )
}

const callStates: Record<string, string> = { booked: 'Booked', cancelled: 'Cancelled', completed: 'Completed', no_show: 'No-show' }
