import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { apiKey, KEYS } from '#app/data-api/keys/api-key.ts'
import { formatCount } from '#app/leads/lead/format.ts'
import { OwnEnquiryCard } from '#app/leads/record/own-enquiry.tsx'
import { ORGANIZATIONS, ownOrganization } from '#app/organizations/organization/organization.ts'
import { SignInFirst } from '#app/organizations/sign-in/sign-in-first.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { DatasetsPanel } from './datasets-panel.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import { type CustomerHome as Home, workspaceHome } from './workspace.ts'

/** The one home of a customer, at `/` and `/dashboard`: enquiries, datasets, keys and requests, each with its status. */
export function CustomerHomePage({ firstName, email }: { firstName: string | undefined; email: string }) {
  const home = usePageQuery(apiQuery('/api/workspace', workspaceHome))
  const hasEnquiries = home.data?.view === 'customer' && home.data.enquiries.length > 0
  return (
    <Page
      kind="work"
      title={firstName ? `Welcome, ${firstName}` : 'Welcome'}
      eyebrow={email}
      actions={
        hasEnquiries && (
          <ButtonLink to="/contact" look="quiet">
            New enquiry
          </ButtonLink>
        )
      }
    >
      <SignInToCurrent />
      {home.isPending && (
        <>
          <Loading>Loading your workspace...</Loading>
          <Skeleton lines={8} />
        </>
      )}
      {home.isError && <Failed error={home.error} retry={home.refetch} />}
      {home.data?.view === 'customer' && (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
          <EnquiriesPanel enquiries={home.data.enquiries} />
          <div className="grid grid-cols-1 gap-4">
            <DatasetsPanel />
            <KeysPanel />
            <RequestsPanel requests={home.data.requests} />
          </div>
        </div>
      )}
    </Page>
  )
}

/** Its datasets and keys are missing from the panels until then. */
function SignInToCurrent() {
  const current = useQuery(apiQuery(ORGANIZATIONS, z.array(ownOrganization))).data?.find(({ isCurrent }) => isCurrent)
  if (!current?.signInWith) return null
  return (
    <div className="mb-4">
      <SignInFirst name={current.name} provider={current.signInWith} />
    </div>
  )
}

const SHOWN = 3

/** The customer's enquiries, newest first, with status and next deadline. */
export function EnquiriesPanel({ enquiries }: Pick<Home, 'enquiries'>) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? enquiries : enquiries.slice(0, SHOWN)
  if (enquiries.length === 0) {
    return (
      <PanelFrame title="Your enquiries">
        <p className="mb-4 text-small text-muted">No enquiries yet. Track your enquiries and their status here.</p>
        <ButtonLink to="/contact">Tell us what you need</ButtonLink>
      </PanelFrame>
    )
  }
  return (
    <section aria-labelledby="your-enquiries" className="grid min-w-0 gap-3">
      <h2 id="your-enquiries" className="text-h3">
        Your enquiries
      </h2>
      <ul className="grid gap-3">
        {shown.map((enquiry) => (
          <OwnEnquiryCard key={enquiry.id} enquiry={enquiry} />
        ))}
      </ul>
      {enquiries.length > shown.length && (
        <Button type="button" look="quiet" className="w-fit" onClick={() => setShowsAll(true)}>
          Show all {enquiries.length} enquiries
        </Button>
      )}
    </section>
  )
}

/** Every working key with its use of this month. */
export function KeysPanel() {
  const keys = useQuery(apiQuery(KEYS, z.array(apiKey)))
  return (
    <PanelFrame title="API keys" more={{ to: '/account/keys', label: 'Keys and usage' }}>
      {keys.isPending && <Loading>Loading your keys...</Loading>}
      {keys.isError && <Failed error={keys.error} retry={keys.refetch} />}
      {keys.data && <Keys keys={keys.data.filter(({ state }) => state === 'live')} />}
    </PanelFrame>
  )
}

function Keys({ keys }: { keys: z.infer<typeof apiKey>[] }) {
  if (keys.length === 0) {
    return (
      <p className="text-small text-muted">
        Use your datasets from code.{' '}
        <Link to="/account/keys" className="link">
          Create an API key
        </Link>
        .
      </p>
    )
  }
  return (
    <ul className="grid gap-3">
      {keys.map(({ id, name, used, monthlyQuota, expiresAt }) => (
        <li key={id} className="grid gap-1 text-small">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
            <span className="font-mono text-fine text-muted tabular-nums">
              {formatCount(used)} of {formatCount(monthlyQuota)} requests
            </span>
          </span>
          <span aria-hidden="true" className="h-1 rounded-full bg-sunken">
            <span
              className="block h-full max-w-full rounded-full bg-grain"
              style={{ width: `${monthlyQuota > 0 ? (used / monthlyQuota) * 100 : 100}%` }}
            />
          </span>
          {expiresAt && <span className="text-fine text-muted">Expires {formatDay(expiresAt)}</span>}
        </li>
      ))}
    </ul>
  )
}

const outcomes = {
  open: { look: 'grain', label: 'Requested' },
  granted: { look: 'leaf', label: 'Granted' },
  declined: { look: 'plain', label: 'Declined' },
} as const

/** The customer's dataset requests; nothing without one. */
export function RequestsPanel({ requests }: Pick<Home, 'requests'>) {
  if (requests.length === 0) return null
  return (
    <PanelFrame title="Access requests">
      <PanelLinks>
        {requests.map(({ id, slug, name, outcome, createdAt }) => {
          const { look, label } = outcomes[outcome]
          return (
            <PanelLink key={id} to={`${MARKETPLACE}/${slug}`}>
              <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
              <span className="flex items-center gap-3">
                <time dateTime={createdAt} className="font-mono text-fine text-muted">
                  {formatDay(createdAt)}
                </time>
                <Badge look={look}>{label}</Badge>
              </span>
            </PanelLink>
          )
        })}
      </PanelLinks>
    </PanelFrame>
  )
}
