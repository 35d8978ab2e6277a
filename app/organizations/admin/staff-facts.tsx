import { useState } from 'react'
import { Link } from 'react-router'
import { FactsCard } from '#app/organizations/organization/facts-card.tsx'
import { ORGANIZATIONS, ownFactNames, staffFactNames } from '#app/organizations/organization/organization.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { OrganizationField } from './organization-field.tsx'
import { adminBody, MERGE_UNDO_DAYS, mergeBody, STAFF_ORGANIZATIONS, type StaffOrganization } from './staff-organization.ts'

/** The API data to load again after a change of an organization. */
export const organizationData = [STAFF_ORGANIZATIONS, ORGANIZATIONS, '/api/admin/organization']

type Props = { organization: StaffOrganization }

/** All facts, those of staff too. */
export function StaffFacts({ organization }: Props) {
  const names = [...ownFactNames, ...staffFactNames].filter((name) => !organization.isPersonal || name !== 'name')
  return (
    <FactsCard
      facts={organization}
      names={names}
      saving={{ url: `${STAFF_ORGANIZATIONS}/${organization.id}`, touches: organizationData }}
    />
  )
}

/** Suspend, close, reopen and merge. */
export function StaffActions({ organization }: Props) {
  const [isMerging, setMerging] = useState(false)
  const { id, name, state, isPersonal } = organization
  const to = (next: StaffOrganization['state'], done: string) => ({
    send: async () => apiRequest('PUT', `${STAFF_ORGANIZATIONS}/${id}/state`, { state: next }),
    done,
    undo: next === 'closed' ? undefined : () => async () => apiRequest('PUT', `${STAFF_ORGANIZATIONS}/${id}/state`, { state }),
    failed: 'Not changed',
    touches: organizationData,
  })
  return (
    <>
      {isPersonal ? null : state === 'active' ? (
        <ActionButton action={to('suspended', `${name} suspended`)} pending="Suspending...">
          Suspend
        </ActionButton>
      ) : (
        <ActionButton action={to('active', `${name} reopened`)} pending="Reopening...">
          Reopen
        </ActionButton>
      )}
      {!isPersonal && state !== 'closed' && (
        <QuestionButton
          action={to('closed', `${name} closed`)}
          label="Close"
          question={`Close ${name}?`}
          confirm="Close organization"
          pending="Closing..."
        >
          <p>
            Its members lose its datasets, its subscriptions end now, and all its API keys and invitations stop working. Keys stay revoked
            and subscriptions ended when you reopen it.
          </p>
        </QuestionButton>
      )}
      <Button type="button" look="quiet" onClick={() => setMerging(true)}>
        Merge
      </Button>
      {isMerging && <MergeDialog organization={organization} close={() => setMerging(false)} />}
    </>
  )
}

/** A missing admin, and the merges that can be undone. */
export function StaffNotices({ organization }: Props) {
  const [isNaming, setNaming] = useState(false)
  const { merges, lacksAdmin } = organization
  return (
    <>
      {lacksAdmin && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-line bg-alarm-wash px-4 py-3 text-small">
          <p role="status">No admin can manage it. Name one of its members, or invite someone as admin.</p>
          <Button type="button" size="small" onClick={() => setNaming(true)}>
            Name an admin
          </Button>
        </div>
      )}
      {merges.map((merge) => (
        <Merged key={merge.id} merge={merge} />
      ))}
      {isNaming && <AdminDialog organization={organization} close={() => setNaming(false)} />}
    </>
  )
}

function Merged({ merge: { id, name, createdAt } }: { merge: StaffOrganization['merges'][number] }) {
  const undo = {
    send: async () => apiRequest('POST', `/api/admin/organization-merges/${id}/undo`),
    done: `${name} is separate again`,
    failed: 'Merge not undone',
    touches: organizationData,
  }
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-small">
      <span>
        {name} was merged into it on <time dateTime={createdAt}>{formatDay(createdAt)}</time>.
      </span>
      <ActionButton action={undo} size="small" aria-label={`Undo merge of ${name}`} pending="Undoing...">
        Undo merge
      </ActionButton>
    </p>
  )
}

function MergeDialog({ organization: { id, name, isPersonal }, close }: Props & { close: () => void }) {
  const [double, setDouble] = useState<string>()
  const form = useForm({
    schema: mergeBody,
    read: ({ into }, given) => ({ into, addsQuota: given.has('addsQuota') }),
    send: async (body) => apiRequest('POST', `${STAFF_ORGANIZATIONS}/${id}/merge`, body),
    done: `${name} merged`,
    failed: 'Not merged',
    // Its own panels go with it. They would ask for an organization that is closed.
    touches: new RegExp(`^(/api/admin/organization|${ORGANIZATIONS}(?!/${id}/))`),
    onDone: close,
    onRefused(error) {
      const isDouble = error instanceof ApiError && error.problem?.code === 'double_subscription'
      setDouble(isDouble ? error.detail : undefined)
      return isDouble
    },
  })
  return (
    <FormDialog form={form} onClose={close} title={`Merge ${name}`} submit="Merge" pending="Merging..." look="danger">
      <p className="text-small text-muted">
        {isPersonal
          ? 'Their datasets, requests, keys, leads and orders move to the organization, and they become a member of it.'
          : 'Its members, datasets, requests, keys, leads, orders, subscriptions and proposals move to the other organization, and it is closed.'}{' '}
        Issued invoices keep its name. Of two grants for one dataset the later end counts. You can undo this for {MERGE_UNDO_DAYS} days.
      </p>
      {double && (
        <p role="alert" className="rounded-control border border-alarm bg-alarm-wash px-4 py-3 text-small">
          {double}{' '}
          <Link to="/admin/billing?tab=subscriptions" className="link">
            See the subscriptions
          </Link>
        </p>
      )}
      <OrganizationField label="Organization that stays" name="into" hint="Type its name or reference, and choose it." butId={id} />
      <label className="flex min-h-11 items-center gap-3 text-small">
        <input type="checkbox" name="addsQuota" className="size-5 shrink-0 accent-grain-text" />
        Add its monthly requests to those of the other one
      </label>
    </FormDialog>
  )
}

function AdminDialog({ organization: { id, name }, close }: Props & { close: () => void }) {
  const form = useForm({
    schema: adminBody,
    send: async (body) => apiRequest('POST', `${STAFF_ORGANIZATIONS}/${id}/admin`, body),
    done: (_answer, { email }) => `${email} is the admin of ${name}`,
    failed: 'Admin not named',
    touches: organizationData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Name an admin of ${name}`} submit="Name admin" pending="Saving...">
      <p className="text-small text-muted">Only for an organization whose admins have left or are suspended. Otherwise an admin decides.</p>
      <Field label="Email of the account" name="email">
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
