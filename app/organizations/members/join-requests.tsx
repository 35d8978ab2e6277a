import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { memberRoles, type MemberRole, ORGANIZATIONS, roleNames } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { type JoinRequest, joinRequest, joinRequestsOf } from './join-request.ts'

/** People who ask to join an organization. Hidden while there are none. */
export function JoinRequests({ organizationId }: { organizationId: string }) {
  const list = useQuery(apiQuery(joinRequestsOf(organizationId), z.array(joinRequest)))
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (!list.data || list.data.length === 0) return null
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">Asking to join</h3>
      <ul aria-label="Asking to join" className="divide-y divide-line border-y border-line">
        {list.data.map((each) => (
          <Asking key={each.id} request={each} organizationId={organizationId} />
        ))}
      </ul>
    </div>
  )
}

function Asking({ request: { id, name, email, createdAt }, organizationId }: { request: JoinRequest; organizationId: string }) {
  const [role, setRole] = useState<MemberRole>('member')
  const place = `${joinRequestsOf(organizationId)}/${id}`
  const answer = (how: 'accept' | 'decline', done: string, body?: object) => ({
    send: async () => apiRequest('POST', `${place}/${how}`, body),
    done,
    failed: how === 'accept' ? 'Not accepted' : 'Not declined',
    touches: [ORGANIZATIONS],
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-small">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-semibold wrap-anywhere">{name ?? email}</p>
        <p className="text-muted">
          {name && <span className="wrap-anywhere">{email} · </span>}
          since <time dateTime={createdAt}>{formatDay(createdAt)}</time>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Field label={`Role for ${email}`} hiddenLabel name={`join-role-${id}`} tool>
          <Select value={role} onChange={({ target }) => setRole(memberRoles.find((each) => each === target.value) ?? role)}>
            {memberRoles.map((each) => (
              <option key={each} value={each}>
                {roleNames[each].label}
              </option>
            ))}
          </Select>
        </Field>
        <ActionButton
          action={answer('accept', `${email} is now a member`, { role })}
          look="primary"
          size="small"
          aria-label={`Accept ${email}`}
          pending="Accepting..."
        >
          Accept
        </ActionButton>
        <ActionButton
          action={answer('decline', `Request of ${email} declined`)}
          size="small"
          aria-label={`Decline ${email}`}
          pending="Declining..."
        >
          Decline
        </ActionButton>
      </div>
    </li>
  )
}
