import type { Handle } from '#app/access.server.ts'
import { countryNames } from '#app/content/country.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { Page } from '#app/ui/page.tsx'
import { useNavigate } from 'react-router'
import {
  type ListedOrganization,
  newStaffOrganizationBody,
  organizationPage,
  STAFF_ORGANIZATIONS,
  staffOrganization,
} from './staff-organization.ts'

export const handle = { access: 'organizations.manage' } satisfies Handle

export const meta = () => pageMeta({ title: 'Organizations', index: false })

const look: ListLook<ListedOrganization> = {
  name: 'organizations',
  caption: 'Organizations',
  one: 'organization',
  many: 'organizations',
  loading: 'Loading organizations...',
  empty: { title: 'No organizations yet', text: 'Customers create them for their companies, or you add one here and invite its admin.' },
  none: 'No organization matches this search and this state.',
  nameOf: ({ name }) => name,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Name, reference or email' },
    {
      key: 'state',
      label: 'State',
      options: [
        { value: '', label: 'All states' },
        { value: 'active', label: 'Active' },
        { value: 'suspended', label: 'Suspended' },
        { value: 'closed', label: 'Closed' },
      ],
    },
  ],
  columns: [
    { key: 'name', head: 'Name', view: ({ name }) => <span title={name}>{name}</span> },
    { key: 'reference', head: 'Reference', width: '8rem', kind: 'data', from: 'medium', view: ({ reference }) => reference },
    { key: 'state', head: 'State', width: '9rem', from: 'medium', view: (row) => <State organization={row} /> },
    { key: 'country', head: 'Country', width: '10rem', from: 'large', view: ({ countryCode }) => countryOf(countryCode) },
    { key: 'members', head: 'Members', width: '6.5rem', kind: 'data', from: 'medium', view: ({ members }) => numberText(members) },
    { key: 'datasets', head: 'Datasets', width: '6.5rem', kind: 'data', from: 'medium', view: ({ datasets }) => numberText(datasets) },
    {
      key: 'since',
      head: 'Since',
      width: '8rem',
      kind: 'data',
      from: 'large',
      view: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
    },
  ],
  renderNarrow: (row) => (
    <>
      <span className="font-mono text-fine">{row.reference}</span>
      <State organization={row} />
    </>
  ),
}

function State({ organization: { state, lacksAdmin } }: { organization: ListedOrganization }) {
  if (lacksAdmin) return <Badge look="alarm">No admin</Badge>
  return state === 'active' ? <Badge look="leaf">Active</Badge> : <Badge>{state === 'closed' ? 'Closed' : 'Suspended'}</Badge>
}

function countryOf(code: string): string {
  return countryNames().find(([each]) => each === code)?.[1] ?? '-'
}

export default function OrganizationsPage() {
  const { params, change } = useView()
  const list = useListQuery(STAFF_ORGANIZATIONS, organizationPage, look.filters)
  const add = (
    <Button type="button" onClick={() => change({ new: 'organization' })}>
      Add organization
    </Button>
  )
  return (
    <Page kind="work" title="Organizations" intro="Companies of customers: people, leads, calls, datasets and keys." actions={add}>
      <ListPage
        {...look}
        list={list}
        rows={list.data?.organizations}
        place={{ next: list.data?.nextCursor }}
        opens={({ reference }) => ({ to: `/admin/organizations/${reference}` })}
      >
        {params.get('new') === 'organization' && <AddDialog close={() => change({ new: undefined })} />}
      </ListPage>
    </Page>
  )
}

function AddDialog({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    schema: newStaffOrganizationBody,
    read: ({ name, email }) => ({ name, ...(email && { email }) }),
    send: async (body) => staffOrganization.parse(await (await apiRequest('POST', STAFF_ORGANIZATIONS, body)).json()),
    done: ({ name }) => `${name} added`,
    failed: 'Organization not added',
    touches: [STAFF_ORGANIZATIONS],
    onDone: async ({ reference }) => navigate(`/admin/organizations/${reference}`),
  })
  return (
    <FormDialog form={form} onClose={close} title="Add organization" submit="Add organization" pending="Adding...">
      <Field label="Name" name="name">
        <Input autoComplete="off" />
      </Field>
      <Field label="Email of its first admin" name="email" optional hint="They get an invitation. You can also invite people later.">
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
