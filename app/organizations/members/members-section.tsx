import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href, Link } from 'react-router'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { JoinRequests } from '#app/organizations/members/join-requests.tsx'
import type { MemberRole, Organization } from '#app/organizations/organization/organization.ts'
import { memberRoles, ORGANIZATIONS, roleNames } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import {
  invitation,
  invitationBody,
  invitationsOf,
  member,
  membersOf,
  type OrganizationInvitation,
  type OrganizationMember,
} from './member.ts'

type SectionProps = { organization: Organization; mayManage: boolean }

/** The people of an organization, with what each may do, and those who are invited. */
export function MembersSection({ organization: { id, name, monthlyQuota, used }, mayManage }: SectionProps) {
  const members = useQuery(apiQuery(membersOf(id), z.array(member)))
  const [isInviting, setInviting] = useState(false)
  return (
    <AccountSection
      id="members"
      title={`Members of ${name}`}
      intro={
        <>
          {numberText(used)} of {numberText(monthlyQuota)} API requests used this month, by all keys together.{' '}
          <Link to={href('/account/keys')} className="link">
            See the API keys
          </Link>
        </>
      }
    >
      {members.isPending && (
        <div>
          <Loading>Loading members...</Loading>
          <Skeleton lines={2} />
        </div>
      )}
      {members.isError && <Failed error={members.error} retry={members.refetch} />}
      {members.data && (
        <ul aria-label="Members" className="divide-y divide-line border-y border-line">
          {members.data.map((each) => (
            <MemberRow key={each.id} member={each} organizationId={id} mayManage={mayManage} />
          ))}
        </ul>
      )}
      {mayManage && (
        <>
          <JoinRequests organizationId={id} />
          <Invitations organizationId={id} />
          <Button type="button" className="justify-self-start" onClick={() => setInviting(true)}>
            Invite someone
          </Button>
          {isInviting && <InviteDialog organizationId={id} name={name} close={() => setInviting(false)} />}
        </>
      )}
    </AccountSection>
  )
}

type MemberProps = { member: OrganizationMember; organizationId: string; mayManage: boolean }

function MemberRow({ member: { id, name, email, role, since, used, isSelf }, organizationId, mayManage }: MemberProps) {
  const shown = name ?? email ?? 'Deleted account'
  const remove = {
    send: async () => apiRequest('DELETE', `${membersOf(organizationId)}/${id}`),
    done: `${shown} removed`,
    failed: 'Not removed',
    touches: [ORGANIZATIONS],
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{shown}</span>
          {isSelf && <Badge>You</Badge>}
        </p>
        <p className="text-small text-muted">
          {name && email && <span className="wrap-anywhere">{email} · </span>}
          since <time dateTime={since}>{formatDay(since)}</time>
          {used > 0 && ` · ${numberText(used)} requests this month`}
        </p>
      </div>
      {mayManage ? (
        <div className="flex flex-wrap items-center gap-2">
          <RoleMenu organizationId={organizationId} id={id} role={role} name={shown} />
          {!isSelf && (
            <QuestionButton
              action={remove}
              size="small"
              label="Remove"
              aria-label={`Remove ${shown}`}
              question={`Remove ${shown}?`}
              confirm="Remove member"
              pending="Removing..."
            >
              <p>
                They lose the organization’s datasets at once, and their API keys for it stop working. Their past actions stay under their
                name.
              </p>
            </QuestionButton>
          )}
        </div>
      ) : (
        <Badge>{roleNames[role].label}</Badge>
      )}
    </li>
  )
}

/** Saved on choice. The last admin stays one: the server says so, and the choice goes back. */
function RoleMenu({ organizationId, id, role, name }: { organizationId: string; id: string; role: MemberRole; name: string }) {
  const { mutate, isPending, variables } = useAction({
    send: async (next: MemberRole) => apiRequest('PATCH', `${membersOf(organizationId)}/${id}`, { role: next }),
    done: (_answer, next) => `${name} is now ${roleNames[next].label.toLowerCase()}`,
    undo: () => async () => apiRequest('PATCH', `${membersOf(organizationId)}/${id}`, { role }),
    failed: 'Role not changed',
    touches: [ORGANIZATIONS],
  })
  return (
    <Field label={`Role of ${name}`} hiddenLabel name={`role-${id}`} tool>
      <Select
        value={isPending ? variables : role}
        onChange={({ target }) => {
          const next = memberRoles.find((each) => each === target.value)
          if (next) mutate(next)
        }}
      >
        <RoleOptions />
      </Select>
    </Field>
  )
}

function RoleOptions() {
  return memberRoles.map((role) => (
    <option key={role} value={role}>
      {roleNames[role].label}
    </option>
  ))
}

function Invitations({ organizationId }: { organizationId: string }) {
  const list = useQuery(apiQuery(invitationsOf(organizationId), z.array(invitation)))
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (!list.data || list.data.length === 0) return null
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">Open invitations</h3>
      <ul aria-label="Open invitations" className="divide-y divide-line border-y border-line">
        {list.data.map((each) => (
          <Invited key={each.id} invitation={each} organizationId={organizationId} />
        ))}
      </ul>
    </div>
  )
}

type InvitedProps = { invitation: OrganizationInvitation; organizationId: string }

function Invited({ invitation: { id, email, role, expiresAt, isExpired }, organizationId }: InvitedProps) {
  const place = `${invitationsOf(organizationId)}/${id}`
  const again = {
    send: async () => apiRequest('POST', `${place}/send`),
    done: `Invitation sent to ${email}`,
    failed: 'Invitation not sent',
    touches: [ORGANIZATIONS],
  }
  const revoke = {
    send: async () => apiRequest('DELETE', place),
    done: `Invitation of ${email} revoked`,
    undo: () => async () => apiRequest('POST', invitationsOf(organizationId), { email, role }),
    failed: 'Not revoked',
    touches: [ORGANIZATIONS],
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-small">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-semibold wrap-anywhere">{email}</p>
        <p className="text-muted">
          {roleNames[role].label} · {isExpired ? 'expired' : 'valid until'} <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ActionButton action={again} size="small" aria-label={`Send again to ${email}`} pending="Sending...">
          Send again
        </ActionButton>
        <ActionButton action={revoke} size="small" aria-label={`Revoke the invitation of ${email}`} pending="Revoking...">
          Revoke
        </ActionButton>
      </div>
    </li>
  )
}

/** Each role may do what those before it may. */
function meaningOf(role: MemberRole): string {
  const upTo = memberRoles.slice(0, memberRoles.indexOf(role) + 1)
  return `${upTo.map((each) => roleNames[each].means).join('. ')}.`
}

function InviteDialog({ organizationId, name, close }: { organizationId: string; name: string; close: () => void }) {
  const [role, setRole] = useState<MemberRole>('member')
  const form = useForm({
    schema: invitationBody,
    send: async (body) => apiRequest('POST', invitationsOf(organizationId), body),
    done: (_answer, { email }) => `Invitation sent to ${email}`,
    failed: 'Invitation not sent',
    touches: [ORGANIZATIONS],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Invite someone to ${name}`} submit="Send invitation" pending="Sending...">
      <p className="text-small text-muted">They get an email. The invitation works for this address alone, for seven days.</p>
      <Field label="Email" name="email">
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
      <Field label="Role" name="role" hint={meaningOf(role)}>
        <Select value={role} onChange={({ target }) => setRole(memberRoles.find((each) => each === target.value) ?? role)}>
          <RoleOptions />
        </Select>
      </Field>
    </FormDialog>
  )
}
