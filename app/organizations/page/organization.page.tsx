import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import type { Handle } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { DomainsSection } from '#app/organizations/domains/domains-section.tsx'
import { OwnOffers } from '#app/organizations/members/own-offers.tsx'
import { SignInFirst } from '#app/organizations/sign-in/sign-in-first.tsx'
import { SignInSection } from '#app/organizations/sign-in/sign-in-section.tsx'
import { AuditSection } from '#app/organizations/audit/audit-section.tsx'
import { MembersSection } from '#app/organizations/members/members-section.tsx'
import { OwnInvitations } from '#app/organizations/members/own-invitations.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { FactsSection } from './facts-section.tsx'
import { LeaveSection } from './leave-section.tsx'
import { mayIn, ORGANIZATIONS, organization, ownOrganization } from '#app/organizations/organization/organization.ts'
import { OwnOrganizations } from './own-organizations.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Organization')

/** Beyond a screen, so that the footer does not move. */
const FIRST_LINES = 30

/** The organizations of a person, and the one that they work for: its facts, members and invitations. */
export default function OrganizationPage() {
  const [params] = useSearchParams()
  const own = useQuery(apiQuery(ORGANIZATIONS, z.array(ownOrganization)))
  const invitation = params.get('invitation') ?? undefined
  const current = own.data?.find(({ isCurrent }) => isCurrent)
  return (
    <div className="grid grid-cols-1 gap-6">
      <OwnInvitations invitation={invitation} token={params.get('token') ?? undefined} />
      <OwnOffers />
      {own.isPending && (
        <div>
          <Loading>Loading your organizations...</Loading>
          <Skeleton lines={FIRST_LINES} />
        </div>
      )}
      {own.isError && <Failed error={own.error} retry={own.refetch} />}
      {own.data && <OwnOrganizations organizations={own.data} />}
      {current &&
        (current.signInWith ? (
          <SignInFirst name={current.name} provider={current.signInWith} />
        ) : (
          <CurrentOrganization key={current.id} id={current.id} />
        ))}
    </div>
  )
}

function CurrentOrganization({ id }: { id: string }) {
  const found = useQuery(apiQuery(`${ORGANIZATIONS}/${id}`, organization))
  if (found.isPending) {
    return (
      <div>
        <Loading>Loading the organization...</Loading>
        <Skeleton lines={FIRST_LINES} />
      </div>
    )
  }
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  const mayManage = mayIn(found.data.role, 'manage')
  if (found.data.isPersonal) return <FactsSection organization={found.data} mayManage />
  return (
    <>
      <MembersSection organization={found.data} mayManage={mayManage} />
      <FactsSection organization={found.data} mayManage={mayManage} />
      {mayManage && <DomainsSection organizationId={id} />}
      {mayManage && <SignInSection organizationId={id} />}
      {mayManage && <AuditSection organizationId={id} />}
      <LeaveSection organization={found.data} mayManage={mayManage} />
    </>
  )
}
