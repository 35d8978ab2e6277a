import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { domain, domainBody, domainsOf, type OrganizationDomain } from './domain.ts'

type SectionProps = { organizationId: string; /** Staff can confirm a domain that they know to be right. */ isStaff?: boolean }

/** The domains of an organization, each with the record that proves it. */
export function DomainsSection({ organizationId, isStaff = false }: SectionProps) {
  const list = useQuery(apiQuery(domainsOf(organizationId), z.array(domain)))
  const [isAdding, setAdding] = useState(false)
  return (
    <AccountSection
      id="domains"
      title="Domains"
      intro="People with a confirmed address at one of your domains can ask to join. An admin accepts or declines each request."
    >
      {list.isPending && (
        <div>
          <Loading>Loading domains...</Loading>
          <Skeleton lines={1} />
        </div>
      )}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && <p className="text-small text-muted">No domain yet.</p>}
      {list.data && list.data.length > 0 && (
        <ul aria-label="Domains" className="divide-y divide-line border-y border-line">
          {list.data.map((each) => (
            <DomainRow key={each.id} domain={each} organizationId={organizationId} isStaff={isStaff} />
          ))}
        </ul>
      )}
      <Button type="button" look="quiet" className="justify-self-start" onClick={() => setAdding(true)}>
        Add domain
      </Button>
      {isAdding && <AddDialog organizationId={organizationId} close={() => setAdding(false)} />}
    </AccountSection>
  )
}

type RowProps = { domain: OrganizationDomain; organizationId: string; isStaff: boolean }

function DomainRow({ domain: { id, domain: name, challenge, provenAt, provenBy }, organizationId, isStaff }: RowProps) {
  const place = `${domainsOf(organizationId)}/${id}`
  const prove = (how: 'check' | 'prove') => ({
    send: async () => apiRequest('POST', `${place}/${how}`),
    done: `${name} is proven`,
    failed: 'Not proven',
    touches: [ORGANIZATIONS],
  })
  const remove = {
    send: async () => apiRequest('DELETE', place),
    done: `${name} removed`,
    undo: () => async () => apiRequest('POST', `${place}/restore`),
    failed: 'Not removed',
    touches: [ORGANIZATIONS],
  }
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {provenAt ? <Badge look="leaf">Proven</Badge> : <Badge>Not proven</Badge>}
        </p>
        <div className="flex flex-wrap gap-2">
          {!provenAt && (
            <ActionButton action={prove('check')} size="small" aria-label={`Check ${name}`} pending="Checking...">
              Check
            </ActionButton>
          )}
          {!provenAt && isStaff && (
            <ActionButton action={prove('prove')} size="small" aria-label={`Confirm by hand: ${name}`} pending="Confirming...">
              Confirm by hand
            </ActionButton>
          )}
          <ActionButton action={remove} size="small" aria-label={`Remove ${name}`} pending="Removing...">
            Remove
          </ActionButton>
        </div>
      </div>
      {provenAt ? (
        <p className="text-small text-muted">
          Since <time dateTime={provenAt}>{formatDay(provenAt)}</time>
          {provenBy === 'staff' && ', confirmed by our staff'}
        </p>
      ) : (
        <div className="grid gap-1 text-small text-muted">
          <p>Add this TXT record at {name}, then choose Check. It may take an hour until it is found.</p>
          <div className="flex flex-wrap items-center gap-2">
            <code className="min-w-0 grow rounded-control bg-sunken px-3 py-2 font-mono text-fine text-ink wrap-anywhere">{challenge}</code>
            <CopyButton text={challenge} label="Copy" />
          </div>
        </div>
      )}
    </li>
  )
}

function AddDialog({ organizationId, close }: { organizationId: string; close: () => void }) {
  const form = useForm({
    schema: domainBody,
    send: async (body) => apiRequest('POST', domainsOf(organizationId), body),
    done: (_answer, { domain: name }) => `${name} added`,
    failed: 'Domain not added',
    touches: [ORGANIZATIONS],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Add domain" submit="Add domain" pending="Adding...">
      <p className="text-small text-muted">The domain of your email addresses. You prove it with a TXT record in its DNS.</p>
      <Field label="Domain" name="domain">
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} inputMode="url" placeholder="example.com" />
      </Field>
    </FormDialog>
  )
}
