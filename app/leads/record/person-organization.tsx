import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { OrganizationField } from '#app/organizations/admin/organization-field.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { type PersonOrganization, personOrganization, personOrganizationBody } from './organization-people.ts'

const urlOf = (leadId: string) => `/api/leads/${leadId}/organization`

/** The company of a lead's person, with its other people and their leads. Staff say which one it is: an address alone does not. */
export function PersonOrganizationPanel({ leadId }: { leadId: string }) {
  const found = useQuery(apiQuery(urlOf(leadId), personOrganization))
  const [isSetting, setSetting] = useState(false)
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  // A line is there from the beginning, so that nothing below it moves.
  const { organization, others } = found.data ?? { organization: null, others: [] }
  return (
    <div className="grid gap-1.5">
      <p className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <span>
          Organization:{' '}
          {organization ? (
            <Link to={`/admin/organizations/${organization.reference ?? organization.id}`} className="link">
              {organization.name}
            </Link>
          ) : (
            <span className="text-muted">{found.isPending ? '…' : 'none'}</span>
          )}
        </span>
        <Button
          type="button"
          look="quiet"
          size="small"
          onClick={() => setSetting(true)}
          {...(found.isPending && { unavailable: 'Loading.' })}
        >
          {organization ? 'Change organization' : 'Set organization'}
        </Button>
      </p>
      {others.length > 0 && <Others others={others} />}
      {isSetting && <SetDialog leadId={leadId} known={organization} close={() => setSetting(false)} />}
    </div>
  )
}

function Others({ others }: { others: PersonOrganization['others'] }) {
  return (
    <ul aria-label="Other people of this organization" className="divide-y divide-line">
      {others.map(({ id, name, leads: [newest] }) => (
        <li key={id} className="flex items-baseline justify-between gap-3 py-1.5">
          {newest ? (
            <Link to={`/leads/${newest.reference}`} className="link min-w-0 truncate">
              {name}
            </Link>
          ) : (
            <span>{name}</span>
          )}
          {newest && <span className="shrink-0 text-muted">{newest.stage}</span>}
        </li>
      ))}
    </ul>
  )
}

type SetProps = { leadId: string; known: PersonOrganization['organization']; close: () => void }

function SetDialog({ leadId, known, close }: SetProps) {
  const form = useForm({
    schema: personOrganizationBody,
    read: ({ organization = '' }) => ({ organization: organization.trim() || null }),
    send: async (body) => apiRequest('PUT', urlOf(leadId), body),
    done: 'Organization saved',
    undo: () => async () => apiRequest('PUT', urlOf(leadId), { organization: known?.id ?? null }),
    failed: 'Organization not saved',
    touches: ['/api/leads'],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Organization of this person" submit="Save">
      <OrganizationField
        label="Organization"
        name="organization"
        optional
        hint="Type its name or reference, and choose it. Empty: none."
        defaultValue={known?.reference ?? ''}
      />
    </FormDialog>
  )
}
