import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { ACCOUNT, ownAccount } from '#app/account/settings/account.ts'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { signOut } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { loginPath } from '#app/account/sign-in/sign-in-texts.ts'
import { ORGANIZATIONS, roleNames } from '#app/organizations/organization/organization.ts'
import { switchOrganization } from '#app/organizations/organization/switch-organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalMoment } from '#app/ui/local-moment.tsx'
import { accepted, INVITATIONS, type OwnInvitation, ownInvitation } from './member.ts'

/** Invitations to the address of the signed-in person. `invitation` is the one whose link they followed. */
export function OwnInvitations({ invitation, token }: { invitation: string | undefined; token: string | undefined }) {
  const list = useQuery(apiQuery(INVITATIONS, z.array(ownInvitation)))
  // A followed link has the place of its invitation from the start, so that nothing moves.
  if (!list.data && invitation === undefined) return null
  if (!list.data) {
    return (
      <AccountSection id="invitations" title="Invitations">
        {list.isError ? (
          <Failed error={list.error} retry={list.refetch} />
        ) : (
          <div>
            <Loading>Loading your invitation...</Loading>
            <Skeleton lines={3} />
          </div>
        )}
      </AccountSection>
    )
  }
  const isMissing = invitation !== undefined && !list.data.some(({ id }) => id === invitation)
  // Its organization is listed below, so only the link leads to it.
  const shown = list.data.filter(({ id, isJoined }) => !isJoined || id === invitation)
  if (shown.length === 0 && !isMissing) return null
  return (
    <AccountSection id="invitations" title="Invitations">
      {isMissing && <Missing />}
      {shown.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {shown.map((each) => (
            <Invitation key={each.id} invitation={each} token={each.id === invitation ? token : undefined} />
          ))}
        </ul>
      )}
    </AccountSection>
  )
}

/** Another address was invited, or the invitation is over. The page must not say which, because that would reveal the address. */
function Missing() {
  const account = useQuery(apiQuery(ACCOUNT, ownAccount))
  const leave = {
    send: async () => orThrow(signOut()),
    failed: 'Not signed out',
    touches: [],
    // A new document discards all data of the person, and comes back to the invitation.
    onDone: () => window.location.assign(loginPath({ next: `${window.location.pathname}${window.location.search}` })),
  }
  return (
    <div role="status" className="grid justify-items-start gap-3">
      <p className="wrap-anywhere">
        {account.data && (
          <>
            You are signed in as <strong>{account.data.email}</strong>.{' '}
          </>
        )}
        The invitation of this link is for another address, or it was used, revoked or has expired.
      </p>
      <p className="text-small text-muted">
        If it came to another address of yours, sign in with that one. If not, ask for a new invitation.
      </p>
      <ActionButton action={leave} pending="Signing out...">
        Sign in with another address
      </ActionButton>
    </div>
  )
}

type InvitationProps = { invitation: OwnInvitation; token: string | undefined }

function Invitation({ invitation: { id, organization, role, invitedBy, expiresAt, isJoined }, token }: InvitationProps) {
  const accept = {
    send: async () => accepted.parse(await (await apiRequest('POST', `${INVITATIONS}/${id}/accept`, { ...(token && { token }) })).json()),
    failed: 'Not joined',
    touches: [INVITATIONS],
    onDone: async ({ organizationId }: { organizationId: string }) => switchOrganization(organizationId),
  }
  const decline = {
    send: async () => apiRequest('POST', `${INVITATIONS}/${id}/decline`),
    done: `Invitation to ${organization} declined`,
    failed: 'Not declined',
    touches: [INVITATIONS, ORGANIZATIONS],
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-semibold wrap-anywhere">{organization}</p>
        <p className="text-small text-muted">
          {roleNames[role].label}
          {invitedBy && `, invited by ${invitedBy}`} ·{' '}
          {isJoined ? (
            'you have joined'
          ) : (
            <>
              until <LocalMoment at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isJoined ? (
          <ActionButton action={{ ...accept, failed: 'Not opened' }} aria-label={`Open ${organization}`} pending="Opening...">
            Open
          </ActionButton>
        ) : (
          <>
            <ActionButton action={accept} look="primary" aria-label={`Join ${organization}`} pending="Joining...">
              Join
            </ActionButton>
            <ActionButton action={decline} aria-label={`Decline the invitation to ${organization}`} pending="Declining...">
              Decline
            </ActionButton>
          </>
        )}
      </div>
    </li>
  )
}
