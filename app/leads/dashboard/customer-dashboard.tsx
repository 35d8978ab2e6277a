import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { ownEnquiry } from '#app/leads/inbox/lead.ts'
import { OwnEnquiryCard } from './own-enquiry.tsx'

type Person = { email: string; firstName: string | undefined }

/** The customer's /dashboard: their enquiries with their status, and their account. */
export function CustomerDashboard({ email, firstName }: Person) {
  return (
    <Page
      kind="work"
      title={firstName ? `Welcome, ${firstName}` : 'Welcome'}
      actions={
        <ButtonLink to="/contact" look="quiet">
          New enquiry
        </ButtonLink>
      }
    >
      <div className="grid items-start gap-8 lg:grid-cols-[2fr_1fr]">
        <section aria-labelledby="your-enquiries" className="min-w-0">
          <h2 id="your-enquiries" className="mb-4 text-h3">
            Your enquiries
          </h2>
          <Enquiries />
        </section>
        <Account email={email} firstName={firstName} />
      </div>
    </Page>
  )
}

function Enquiries() {
  const list = useQuery(apiQuery('/api/me/enquiries', z.array(ownEnquiry)))
  if (list.isPending) return <Loading>Loading your enquiries...</Loading>
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (list.data.length === 0) {
    return (
      <Empty title="No enquiries yet" action={<ButtonLink to="/contact">Tell us what you need</ButtonLink>}>
        <p>Track your enquiries and their status here.</p>
      </Empty>
    )
  }
  return (
    <ul className="grid gap-4">
      {list.data.map((enquiry) => (
        <OwnEnquiryCard key={enquiry.id} enquiry={enquiry} />
      ))}
    </ul>
  )
}

function Account({ email, firstName }: Person) {
  return (
    <Card as="section" aria-labelledby="your-account">
      <h2 id="your-account" className="mb-3 text-h3">
        Your account
      </h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-small [&_dt]:text-muted">
        <dt>Name</dt>
        <dd>{firstName ?? '-'}</dd>
        <dt>Email</dt>
        <dd className="min-w-0 break-words">{email}</dd>
      </dl>
    </Card>
  )
}
