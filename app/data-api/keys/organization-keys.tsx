import { useQuery } from '@tanstack/react-query'
import { GaugeIcon, RotateCwIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { mayIn, ORGANIZATIONS, type OwnOrganization, ownOrganization } from '#app/organizations/organization/organization.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { KEYS, type MadeKey, organizationKey, type OrganizationKey, quotaBody } from './api-key.ts'
import { RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { keyLook } from './key-look.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { ShownKeyDialog } from './shown-key-dialog.tsx'

/** For admins: the keys of everyone in the organization that they work for, and its service keys. */
export function OrganizationKeys() {
  const own = useQuery(apiQuery(ORGANIZATIONS, z.array(ownOrganization)))
  const current = own.data?.find(({ isCurrent }) => isCurrent)
  return current && !current.isPersonal && mayIn(current.role, 'manage') ? <KeysOf organization={current} /> : null
}

/** The list of an organization's keys: its columns and words. */
const organizationKeyLook: ListLook<OrganizationKey> = {
  ...keyLook,
  name: 'organization-keys',
  caption: 'Keys of the organization',
  empty: { title: 'No keys yet', text: 'Service keys and the keys of members are listed here.' },
  columns: [
    ...keyLook.columns.slice(0, 1),
    { key: 'owner', head: 'Owner', from: 'large', view: (key) => <span title={ownerOf(key)}>{ownerOf(key)}</span> },
    ...keyLook.columns.slice(1),
  ],
  renderNarrow: (key) => (
    <>
      <span className="w-full">{ownerOf(key)}</span>
      {keyLook.renderNarrow?.(key)}
    </>
  ),
}

const ownerOf = ({ owner }: OrganizationKey) => owner ?? 'Service key'

type OpenOrganizationKey = { apiKey: OrganizationKey; open: 'limit' | 'rotate' | 'revoke' }

/** The keys of one organization, for its admins and for staff on their behalf. */
export function KeysOf({ organization: { id, name } }: { organization: Pick<OwnOrganization, 'id' | 'name'> }) {
  const url = `${ORGANIZATIONS}/${id}/keys`
  const keys = useQuery(apiQuery(url, z.array(organizationKey)))
  const [isMaking, setMaking] = useState(false)
  const [open, setOpen] = useState<OpenOrganizationKey>()
  const [shown, setShown] = useState<MadeKey>()
  const make = (
    <Button type="button" look="quiet" onClick={() => setMaking(true)}>
      Create service key
    </Button>
  )
  return (
    <AccountSection
      id="organization-keys"
      title={`Keys of ${name}`}
      intro="Keys of members end when they leave. Service keys belong to the organization and stay: use them for programs."
    >
      <ListPage
        {...organizationKeyLook}
        list={keys}
        rows={keys.data}
        tools={make}
        emptyAction={make}
        opens={(key) => ({ act: () => setOpen({ apiKey: key, open: 'limit' }) })}
        renderActions={(key) => <KeyActions apiKey={key} open={setOpen} />}
        actionCount={3}
        menuOf={(key) => [
          { label: 'Set limit', act: () => setOpen({ apiKey: key, open: 'limit' }) },
          ...(mayRotate(key) ? [{ label: 'Rotate', act: () => setOpen({ apiKey: key, open: 'rotate' }) }] : []),
          { label: 'Revoke', startsGroup: true, isDanger: true, act: () => setOpen({ apiKey: key, open: 'revoke' }) },
        ]}
      />
      {open?.open === 'limit' && <LimitDialog apiKey={open.apiKey} url={url} close={() => setOpen(undefined)} />}
      {open?.open === 'revoke' && <RevokeKeyDialog apiKey={open.apiKey} url={url} close={() => setOpen(undefined)} />}
      {open?.open === 'rotate' && (
        <RotateKeyDialog
          apiKey={open.apiKey}
          url={url}
          close={() => setOpen(undefined)}
          done={(made) => {
            setOpen(undefined)
            setShown(made)
          }}
        />
      )}
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

/** The keys of members are theirs to rotate. */
const mayRotate = ({ owner, state }: OrganizationKey) => owner === null && state === 'live'

function KeyActions({ apiKey, open }: { apiKey: OrganizationKey; open: (next: OpenOrganizationKey) => void }) {
  return (
    <>
      <RowButton label={`Set limit of ${apiKey.name}`} onClick={() => open({ apiKey, open: 'limit' })}>
        <GaugeIcon aria-hidden="true" />
      </RowButton>
      {mayRotate(apiKey) && (
        <RowButton label={`Rotate ${apiKey.name} ${apiKey.prefix}`} onClick={() => open({ apiKey, open: 'rotate' })}>
          <RotateCwIcon aria-hidden="true" />
        </RowButton>
      )}
      <RowButton label={`Revoke ${apiKey.name} ${apiKey.prefix}`} onClick={() => open({ apiKey, open: 'revoke' })}>
        <Trash2Icon aria-hidden="true" />
      </RowButton>
    </>
  )
}

type LimitProps = { apiKey: OrganizationKey; url: string; close: () => void }

function LimitDialog({ apiKey: { id, name, monthlyQuota }, url, close }: LimitProps) {
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
