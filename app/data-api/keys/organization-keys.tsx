import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { mayIn, ORGANIZATIONS, type OwnOrganization, ownOrganization } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { KEYS, type MadeKey, organizationKey, type OrganizationKey, quotaBody } from './api-key.ts'
import { QuotaMeter } from './key-look.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { ShownKeyDialog } from './shown-key-dialog.tsx'

/** For admins: the keys of everyone in the organization that they work for, and its service keys. */
export function OrganizationKeys() {
  const own = useQuery(apiQuery(ORGANIZATIONS, z.array(ownOrganization)))
  const current = own.data?.find(({ isCurrent }) => isCurrent)
  return current && !current.isPersonal && mayIn(current.role, 'manage') ? <KeysOf organization={current} /> : null
}

/** The keys of one organization, for its admins and for staff on their behalf. */
export function KeysOf({ organization: { id, name } }: { organization: Pick<OwnOrganization, 'id' | 'name'> }) {
  const url = `${ORGANIZATIONS}/${id}/keys`
  const keys = useQuery(apiQuery(url, z.array(organizationKey)))
  const [isMaking, setMaking] = useState(false)
  const [shown, setShown] = useState<MadeKey>()
  return (
    <AccountSection
      id="organization-keys"
      title={`Keys of ${name}`}
      intro="Keys of members end when they leave. Service keys belong to the organization and stay: use them for programs."
    >
      {keys.isPending && <Loading>Loading keys...</Loading>}
      {keys.isError && <Failed error={keys.error} retry={keys.refetch} />}
      {keys.data?.length === 0 && (
        <p className="text-small text-muted">No keys yet. Service keys and the keys of members are listed here.</p>
      )}
      {keys.data && keys.data.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {keys.data.map((key) => (
            <Key key={key.id} apiKey={key} url={url} />
          ))}
        </ul>
      )}
      <Button type="button" look="quiet" className="justify-self-start" onClick={() => setMaking(true)}>
        Create service key
      </Button>
      {isMaking && (
        <MakeKeyDialog
          url={url}
          close={() => setMaking(false)}
          done={(made) => {
            setMaking(false)
            setShown(made)
          }}
        />
      )}
      {shown && <ShownKeyDialog made={shown} close={() => setShown(undefined)} />}
    </AccountSection>
  )
}

function Key({ apiKey, url }: { apiKey: OrganizationKey; url: string }) {
  const { id, name, prefix, owner, expiresAt } = apiKey
  const [isSharing, setSharing] = useState(false)
  const revoke = {
    send: async () => apiRequest('DELETE', `${url}/${id}`),
    done: 'Key revoked',
    failed: 'Not revoked',
    touches: [KEYS, url],
  }
  return (
    <li className="grid items-center gap-x-6 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-semibold wrap-anywhere">
          {name} <code className="font-mono text-fine font-normal text-muted">{prefix}…</code>
        </p>
        <p className="text-small text-muted">
          {owner ?? 'Service key'} · {expiresAt ? `Expires ${formatDay(expiresAt)}` : 'Never expires'}
        </p>
      </div>
      <div className="grid gap-1">
        <QuotaMeter apiKey={apiKey} />
        <span className="text-fine text-muted">requests this month</span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" aria-label={`Set limit of ${name}`} onClick={() => setSharing(true)}>
          Set limit
        </Button>
        <QuestionButton
          action={revoke}
          size="small"
          label="Revoke"
          aria-label={`Revoke ${name}`}
          question={`Revoke ${name}?`}
          confirm="Revoke key"
          pending="Revoking..."
        >
          <p>Programs that use this key stop working at once. This cannot be undone here.</p>
        </QuestionButton>
      </div>
      {isSharing && <ShareDialog apiKey={apiKey} url={url} close={() => setSharing(false)} />}
    </li>
  )
}

function ShareDialog({ apiKey: { id, name, monthlyQuota }, url, close }: { apiKey: OrganizationKey; url: string; close: () => void }) {
  const form = useForm({
    schema: quotaBody,
    read: ({ monthlyQuota: text = '' }) => ({ monthlyQuota: text.trim() === '' ? undefined : Number(text.replaceAll(',', '')) }),
    send: async (body) => apiRequest('PATCH', `${url}/${id}`, body),
    done: 'Limit saved',
    failed: 'Limit not saved',
    touches: [KEYS, url],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Limit of ${name}`} submit="Save">
      <Field label="Requests a month" name="monthlyQuota" hint="A share of the requests of the organization.">
        <Input inputMode="numeric" autoComplete="off" defaultValue={String(monthlyQuota)} />
      </Field>
    </FormDialog>
  )
}
